#include <fmt/format.h>

#include <algorithm>

#include "check/case_list.hpp"
#include "check/judge.hpp"
#include "core/conserved.hpp"

// What the length of a step is asked about.

namespace nbody::check {
namespace {

const char* floor_of(const Case& test) {
  return test.request.setting.dt_floor > 0 ? ", with a floor" : "";
}

// As in a run: one light body flies straight through all the others, and the step keeps changing.
Case flight(Draw& draw, bool floor_in_half) {
  const Scene scene = draw.scene(CheckScene::heavy_tail, draw.between(30, 40));
  const std::size_t flier = scene.bodies.size() / 2;
  const std::uint64_t steps = 128 + draw.between(1, 40);
  Case test = case_of(Group::adaptive_step, fmt::format("{} steps in one go", steps),
                      with_flier(scene, flier, flier));
  test.request.adaptive = true;
  test.request.steps = steps;
  if (floor_in_half) {
    test.what += ", floor in half";
    std::vector<double> lengths = reference_run(test.request).steps;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(steps / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    test.request.setting.dt_floor = *middle;
  }
  return test;
}

// Where the textbook root of Eq. 6 fails: with a D far below v^2 its difference cancels. And the
// opposite case: from rest only a D counts.
void add_fast_bodies(CaseList& list) {
  struct Kind {
    const char* what;
    double speed;  // times the usual one: 0.2 a D / v^2 is about 1 / speed^2
    bool pulled;
  };
  Draw& draw = list.draw;
  for (const Kind& kind : {Kind{"fast bodies", 1e3, true}, Kind{"very fast bodies", 1e7, true},
                           Kind{"no pull: a = 0", 1, false}, Kind{"from rest", 0, true}}) {
    for (const std::size_t n : {std::size_t{2}, draw.between(20, 60), draw.between(20, 60)}) {
      Scene scene = draw.scene(CheckScene::equal_masses, n);
      Bodies<double>& b = scene.bodies;
      for (auto* v : {&b.vx, &b.vy, &b.vz}) {
        for (double& value : *v) value *= kind.speed;
      }
      b = rounded_to_float(b);
      if (!kind.pulled) scene.setting.G = 0;
      scene.setting.dt *= 8;
      Case& test = list.add(Group::adaptive_step, kind.what, scene);
      test.request.adaptive = true;
      test.request.steps = kind.speed == 1e7 ? 1 : 3;
      if (kind.speed == 0) {
        test.alone = {"rest_in_search", "bodies at rest are left out of the adaptive step"};
      }
      test.request.every_state = true;
    }
  }
}

// Softened bodies at one place: the step is the floor, also where Eq. 7 is 0/0.
void add_bodies_at_one_place(CaseList& list) {
  Draw& draw = list.draw;
  // Alone, and where loops over whole vectors meet both.
  for (const std::size_t n : {std::size_t{3}, draw.between(40, 80), draw.between(130, 400)}) {
    for (const bool rest : {false, true}) {
      Scene scene = without_encounters(draw.scene(CheckScene::equal_masses, n));
      Bodies<double>& b = scene.bodies;
      // Not the last body, whose step comes last in many a search for the smallest.
      const std::size_t one = draw.between(0, n - 2);
      const std::size_t other = (one + draw.between(1, n - 2)) % (n - 1);
      b.qx[other] = b.qx[one];
      b.qy[other] = b.qy[one];
      b.qz[other] = b.qz[one];
      if (rest) scene = at_rest(std::move(scene));
      Case& test = list.add(Group::adaptive_step, "two bodies at one place", scene);
      test.request.adaptive = true;
      // Far below the step of the others, which must not decide.
      test.request.setting.dt_floor = scene.setting.dt / 64;
      test.request.setting.dt *= 8;
      test.request.steps = 1;
      test.request.every_state = true;
      test.request.accelerations = true;
      test.alone = {
          "one_place",
          "two softened bodies at one place: D = 0 in Eq. 7, so the step is the floor. Or are some "
          "bodies left out of the search?"};
    }
  }
}

// A neighbour far nearer than the softening: r^2 + eps^2 - eps^2 has none of the digits of r^2.
void add_softened_neighbours(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : {std::size_t{2}, draw.between(20, 60), draw.between(130, 300)}) {
    Scene scene = draw.scene(CheckScene::equal_masses, n);
    Bodies<double>& b = scene.bodies;
    scene.setting.softening = draw.digits_of(smallest_distance(b));
    const std::size_t one = draw.between(0, n - 1), other = nearest_to(b, one);
    b.qx[other] = draw.digits_of(b.qx[one] + (b.qx[other] - b.qx[one]) / 256);
    b.qy[other] = draw.digits_of(b.qy[one] + (b.qy[other] - b.qy[one]) / 256);
    b.qz[other] = draw.digits_of(b.qz[one] + (b.qz[other] - b.qz[one]) / 256);
    Case& test = list.add(Group::adaptive_step, "a neighbour within the softening", scene);
    test.request.adaptive = true;
    test.request.setting.dt *= 8;
    test.request.steps = 1;
    test.request.every_state = true;
    test.alone = {"softened_neighbour",
                  "right except where the nearest neighbour is within the softening: is its "
                  "distance taken from r^2 + eps^2, where its digits are lost?"};
  }
}

}  // namespace

void add_adaptive_steps(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : draw.sizes()) {
    Case& test = list.adaptive_steps(draw.adaptive_scene(n), single_steps_of(n));
    test.what = fmt::format("{} single steps{}", test.request.steps, floor_of(test));
  }
  for (const std::size_t n : draw.sizes()) {
    Case& test = list.add(Group::adaptive_step, "", without_encounters(draw.adaptive_scene(n)));
    list.make_adaptive(test);
    test.request.steps = draw.between(2, most_in_one_go(n, 3));
    test.request.accelerations = true;
    test.what = fmt::format("{} steps in one go{}", test.request.steps, floor_of(test));
  }
  for (int k = 0; k < 6 && !list.extent.in_double; ++k) {
    add_if_it_forgives(list, [&] { return flight(draw, k % 2 == 1); });
  }
  add_fast_bodies(list);
  add_bodies_at_one_place(list);
  add_softened_neighbours(list);
}

}  // namespace nbody::check
