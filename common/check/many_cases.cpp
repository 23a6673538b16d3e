#include <vector>

#include "check/case_list.hpp"

// Numbers of bodies beyond what arrays, tiles and indices of a first version may hold.

namespace nbody::check {

void add_many_bodies(CaseList& list) {
  Draw& draw = list.draw;
  // In double the same code runs: the forces of so many are asked every other time.
  if (list.extent.in_double) {
    if (draw.one_in(2)) {
      list.forces_of(draw.scene(CheckScene::equal_masses, draw.between(many_from, many_to)),
                     "many bodies");
    }
    return;
  }
  const auto bodies = [&] { return draw.scene(CheckScene::equal_masses, draw.thousands()); };
  // Two of the four: each takes a slow program half a second.
  std::vector<void (*)(CaseList&, const Scene&)> aspects = {
      [](CaseList& all, const Scene& scene) { all.forces_of(scene, "thousands of bodies"); },
      [](CaseList& all, const Scene& scene) {
        all.single_steps(scene, 1).request.accelerations = false;
      },
      [](CaseList& all, const Scene& scene) {
        const char* scheme = all.draw.one_in(2) ? "kdk" : "dkd";
        all.with_integrator(scheme, without_encounters(scene), false).request.accelerations = false;
      },
      [](CaseList& all, const Scene& scene) { all.jerk_of(scene); }};
  draw.shuffle(aspects);
  aspects.resize(2);
  for (const auto& add : aspects) add(list, bodies());
  // Forces of so many have a case of their own (force_cases.cpp).
  const std::size_t very_many = draw.between(very_many_from, very_many_from + 3000);
  const Scene scene = draw.scene(CheckScene::equal_masses, very_many);
  list.single_steps(scene, 1).request.accelerations = false;
  // An adaptive step shows the forces, the search and the update at once. The body that decides is
  // beyond 8192, its neighbour, too, or among the first.
  const std::size_t n = draw.between(many_from, many_to), flier = n - 1 - draw.between(0, 15);
  const std::size_t neighbour =
      draw.one_in(2) ? flier - draw.between(1, 30) : draw.between(0, n / 4);
  Case& test = list.add(Group::adaptive_step, "one step of many bodies",
                        with_flier(draw.scene(CheckScene::equal_masses, n), flier, neighbour));
  test.request.adaptive = true;
  test.request.steps = 1;
  test.request.every_state = true;
}

}  // namespace nbody::check
