#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "check/case.hpp"
#include "check/check_scenes.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

namespace nbody::check {

inline constexpr std::size_t short_runs = 130;     // up to here, more steps cost nothing
inline constexpr std::size_t long_steps = 1024;    // from here on, each costs
inline constexpr std::size_t sampled_from = 2600;  // of more bodies only some are compared
// What arrays, tiles and indices of a first version may not hold.
inline constexpr std::size_t many_from = 8200, many_to = 16500;
// Only asked where it costs nothing, as of a GPU, which may take another kernel for so many.
inline constexpr std::size_t very_many_from = 20'100;
// Steps that no counter of 16 bits counts.
inline constexpr std::uint64_t very_many_steps = 65'537;

// What takes long, or starts a program anew, is asked after all families.
inline bool comes_late(const Case& test) {
  return test.block > 0 || test.ranks > 0 || test.n() > sampled_from ||
         test.request.steps >= very_many_steps;
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
  bool one_in(std::size_t k) { return between(1, k) == 1; }
  std::size_t one_of(std::initializer_list<std::size_t> list) {
    return list.begin()[between(0, list.size() - 1)];
  }
  std::uint64_t seed() { return random_.bits() >> 20; }

  // Numbers of bodies: all small ones, every remainder of 2 to 16, the multiples of what loops,
  // tiles and blocks are wide, with their neighbours, the round ones that people type, and above a
  // thousand. In double smaller multiples and one of the large ones, up to 1536: the same code has
  // met all of them in float.
  std::vector<std::size_t> sizes();
  // Up to 6500: mostly multiples of 1000, as people type, or of 1024.
  std::size_t thousands();
  // Of these bodies, those that are compared: all; of many, those at both ends, where loops lose
  // them, with their neighbours, where a lost one shows most, and some at random. Sorted.
  std::vector<std::size_t> rows(const Bodies<double>& bodies);

  // Each call takes the next of the three unit systems; without a kind, each third call the next
  // kind of scene.
  Scene scene(std::optional<CheckScene> kind, std::size_t n);
  // The body that decides the adaptive step, or its neighbour, is where loops lose bodies; in every
  // third scene of few bodies it is any body.
  Scene adaptive_scene(std::size_t n);
  // With float's 24 bits, unless all digits are asked for.
  double digits_of(double value) const { return all_digits_ ? value : rounded_to_float(value); }

 private:
  Random random_;
  bool all_digits_, in_double_;
  std::uint64_t turn_ = 0;
};

}  // namespace nbody::check
