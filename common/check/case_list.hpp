#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/case.hpp"
#include "check/check_scenes.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

namespace nbody::check {

inline constexpr std::size_t short_runs = 130;   // up to here, more steps cost nothing
inline constexpr std::size_t long_steps = 1024;  // from here on, each costs

// Large ones meet several steps in one go.
inline std::uint64_t single_steps_of(std::size_t n) {
  return n > long_steps ? 1 : n > short_runs ? 2 : 3;
}

// The most steps in one go: two of large ones, `some` of those between, nine of few bodies.
inline std::uint64_t most_in_one_go(std::size_t n, std::uint64_t some) {
  return n > long_steps ? 2 : n > short_runs ? some : 9;
}

// All n bodies are compared.
std::vector<std::size_t> all_rows(std::size_t n);

// What is drawn from the seed of a check: numbers, sizes and scenes.
class Draw {
 public:
  explicit Draw(const Extent& extent)
      : random_(extent.seed * 2 + (extent.in_double ? 1 : 0)),
        all_digits_(extent.all_digits),
        in_double_(extent.in_double) {}

  std::size_t between(std::size_t first, std::size_t last) {
    return first + static_cast<std::size_t>(random_.bits() % (last - first + 1));
  }
  // Some multiple of a width, and 1 to `width` more.
  std::size_t with_rest(std::size_t width, std::size_t fewest, std::size_t most) {
    const std::size_t multiple = width * between(fewest, most);
    return multiple + between(1, width);
  }
  bool one_in(std::size_t k) { return between(1, k) == 1; }
  std::uint64_t seed() { return random_.bits() >> 20; }
  template <typename T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[between(0, k - 1)]);
  }

  // Numbers of bodies: all small ones, every remainder of 2 to 16, the multiples of what loops,
  // tiles and blocks are wide, with their neighbours, the round ones that people type, and above a
  // thousand. In double smaller multiples and one of the large ones, up to 2000: the same code has
  // met all of them in float.
  std::vector<std::size_t> sizes();
  // Thousands, up to 6500: mostly multiples of 1000, as people type, or of 1024.
  std::size_t thousands();
  // Of n bodies, those that are compared: all; of many, those at both ends, where loops lose them,
  // and some at random. Sorted.
  std::vector<std::size_t> rows(std::size_t n);

  // Each call takes the next of the three unit systems, each third the next kind of scene.
  Scene scene(std::size_t n);
  Scene scene(CheckScene kind, std::size_t n);
  // The body that decides the adaptive step, or its neighbour, is where loops lose bodies; in every
  // third scene it is any body.
  Scene adaptive_scene(std::size_t n);
  Scene scene_for(std::size_t n, bool adaptive) { return adaptive ? adaptive_scene(n) : scene(n); }
  // With float's 24 bits, unless all digits are asked for.
  double digits_of(double value) const { return all_digits_ ? value : rounded_to_float(value); }

 private:
  Random random_;
  bool all_digits_, in_double_;
  std::uint64_t turn_ = 0;
};

// The cases of a seed as they are drawn. The functions below add those of their files.
struct CaseList {
  explicit CaseList(const Extent& extent) : extent(extent), draw(extent) {}

  // References are valid until the next case is added.
  Case& add(Group group, std::string what, const Scene& scene);
  void keep(Case test);  // one that is complete but for the rows
  Case& forces_of(const Scene& scene, const std::string& what);
  Case& jerk_of(const Scene& scene);
  Case& single_steps(const Scene& scene, std::uint64_t steps);
  Case& adaptive_steps(const Scene& scene, std::uint64_t steps);
  Case& with_integrator(const std::string& scheme, const Scene& scene, bool adaptive);
  // The fixed dt is on either side of the adaptive one; the floor is out of reach, or always or
  // sometimes reached.
  void make_adaptive(Case& test);

  const Extent extent;
  Draw draw;
  std::vector<Case> cases;
};

// K steps in one go must end where K single steps end. `time` is a share of the scene's step: it is
// too short for encounters, which turn a thousandth of a force into a tenth of the path.
Case steps_in_one_go(Scene scene, std::uint64_t steps, double time);
inline constexpr double short_time = 0.625;

// Whether a run forgives: with all forces wrong by a float's tolerance it ends a tenth of the limit
// away, or less. One in 400 flights meets a body so closely that rounding alone leads elsewhere.
bool forgives(const Case& test);

template <typename Make>
void add_if_it_forgives(CaseList& list, const Make& make) {
  Case test = make();
  while (!forgives(test)) test = make();
  list.keep(std::move(test));
}

// Of cases with close bodies: what is wrong if all others are right.
inline const Cause close_pairs_alone = {
    "close_pairs",
    "right except for close pairs: is their distance or their pull limited? Or are digits "
    "lost (too few Newton steps, r^2 from |a|^2 + |b|^2 - 2 a.b, positions that are moved first)? "
    "Take differences of the positions as they are"};

void add_forces(CaseList& list);
// Few bodies whose accelerations are known without summing: they check the reference, too.
void add_exact_cases(CaseList& list);

void add_steps(CaseList& list);
void add_adaptive_steps(CaseList& list);
// Kick and drift by other integrators, the jerk, and what a run conserves.
void add_integrators(CaseList& list);
void add_jerk(CaseList& list);
void add_exact_jerks(CaseList& list);
void add_conservation(CaseList& list);
// Every aspect above what arrays, tiles and indices of a first version may hold.
void add_many_bodies(CaseList& list);
inline constexpr std::size_t many_from = 8200, many_to = 8500;
// Only asked where it costs nothing, as of a GPU, which may take another kernel for so many.
inline constexpr std::size_t very_many_from = 20'100;

// The same aspects on given numbers of threads or ranks, and of threads in a block.
void add_threads(CaseList& list);
void add_some_threads(CaseList& list);
void add_ranks(CaseList& list);
void add_other_blocks(CaseList& list);

}  // namespace nbody::check
