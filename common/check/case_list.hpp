#pragma once

#include <string>
#include <vector>

#include "check/case.hpp"
#include "check/draw.hpp"

namespace nbody::check {

// The cases of a seed as they are drawn. The functions below add those of their files.
struct CaseList {
  explicit CaseList(const Extent& extent)
      : extent(extent), draw(extent.seed * 2 + (extent.in_double ? 1 : 0)) {}

  // References are valid until the next case is added.
  Case& add(Group group, std::string what, const Scene& scene);
  void keep(Case test);  // one that is complete but for the rows
  Case& forces_of(const Scene& scene, const std::string& what);
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

void add_forces(CaseList& list);
void add_exact_cases(CaseList& list);

void add_steps(CaseList& list);
void add_adaptive_steps(CaseList& list);
// Kick and drift by other integrators, the jerk, and what a run conserves.
void add_integrators(CaseList& list);
void add_jerk(CaseList& list);
void add_conservation(CaseList& list);
// One adaptive step of thousands of bodies shows the forces, the search and the update at once.
void add_step_of_many_bodies(CaseList& list);
inline constexpr std::size_t many_from = 8250, many_to = 9000;
// Only asked where it costs nothing, as of a GPU, which may take another kernel for so many.
inline constexpr std::size_t very_many_from = 33'000;

// The same aspects on given numbers of threads or ranks, and of threads in a block.
void add_threads(CaseList& list);
void add_ranks(CaseList& list);
void add_other_blocks(CaseList& list);

}  // namespace nbody::check
