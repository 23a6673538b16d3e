#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "check/case_list.hpp"
#include "check/judge.hpp"
#include "check/tolerance.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// So long that stale forces lead elsewhere, too; which scenes allow that is tried.
constexpr double long_time = 4 * short_time;

const Cause rest_alone = {"rest", "right for moving bodies: those at rest are left out"};

// The first body is so heavy and slow that in float it does not move.
Scene around_a_sun(Scene scene) {
  scene = without_encounters(std::move(scene));
  Bodies<double>& b = scene.bodies;
  for (std::size_t i = 1; i < b.size(); ++i) b.mass[i] *= 0x1p-30;
  for (auto* v : {&b.vx, &b.vy, &b.vz}) v->front() *= 0x1p-40;
  return scene;
}

void stop(Bodies<double>& b, std::size_t i) {
  for (auto* v : {&b.vx, &b.vy, &b.vz}) (*v)[i] = 0;
}

void add_no_step(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : {std::size_t{2}, draw.between(20, 40), draw.between(200, 300)}) {
    for (const std::uint64_t steps : {0, 1}) {
      Case& test = list.add(Group::steps, "no time passes", draw.scene(n));
      test.request.setting.dt = 0;
      test.request.steps = steps;
      test.request.accelerations = true;
      test.alone = {"moved_elsewhere", "the bodies are changed outside update_bodies()"};
    }
  }
}

// A program that knows what is timed must not step otherwise there. One step: in the core of the
// cluster, rounding the answered state would decide the next.
void add_steps_of_the_bench(CaseList& list) {
  Draw& draw = list.draw;
  const auto cluster = [&] { return star_cluster(draw.between(900, 2100), draw.seed()); };
  for (const bool adaptive : {false, true}) {
    Case& test = adaptive ? list.adaptive_steps(cluster(), 1) : list.single_steps(cluster(), 1);
    test.what = "1 step of a star cluster";
    test.alone = {
        "star_cluster",
        "right except in the star cluster that ./lab bench times: what is different there?"};
    if (list.extent.ranks == 0) test.request.threads = 1;
    test.request.accelerations = false;
  }
}

void add_steps_in_one_go(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : draw.sizes()) {
    const Scene scene = without_encounters(draw.scene(n));
    const std::uint64_t steps = draw.between(2, most_in_one_go(n, 4));
    list.keep(steps_in_one_go(scene, steps, short_time));
  }
  for (int k = 0; k < 3 && !list.extent.in_double; ++k) {
    // A CUDA graph may make, for example, 64 steps at a time: two such batches, and some more. And
    // enough that a counter of eight bits wraps around. And round numbers, which people type.
    const std::size_t hundred = k == 0 ? 100 : 128 + draw.between(1, 40);
    const std::size_t thousand = k == 0 ? 1000 : 1000 + draw.between(1, 20);
    for (const std::uint64_t steps : {hundred, thousand}) {
      add_if_it_forgives(list, [&] {
        const Scene scene = without_encounters(draw.scene(draw.between(30, 40)));
        return steps_in_one_go(scene, steps, long_time);
      });
    }
  }
  if (list.extent.ranks == 0 && !list.extent.in_double) {
    add_if_it_forgives(list, [&] {
      const Scene scene = without_encounters(draw.scene(draw.between(2, 4)));
      return steps_in_one_go(scene, draw.between(1025, 3000), long_time);
    });
  }
}

}  // namespace

bool forgives(const Case& test) {
  Request other = test.request;
  other.setting.G *= 1 + tolerances().front().force;
  const double digits = tolerances().front().digits;
  return miss_of(reference_run(other).end, test.run(), digits) <= path_limit / 10;
}

void add_steps(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : draw.sizes()) {
    Scene scene = without_encounters(draw.scene(n));
    // Where loops lose bodies, as the Sun does in many a data set.
    const bool rests = draw.one_in(3);
    if (rests) stop(scene.bodies, draw.one_in(2) ? 0 : n - 1);
    Case& test = list.single_steps(scene, single_steps_of(n));
    if (rests) test.alone = rest_alone;
  }
  list.single_steps(without_encounters(draw.scene(2)), 20);
  list.single_steps(without_encounters(draw.scene(draw.between(30, 40))), 50);
  // What is only done every 16th, 32nd or 64th time: sorting anew, old forces.
  if (!list.extent.in_double) {
    Scene some = without_encounters(draw.scene(draw.between(260, 600)));
    some.setting.dt /= 8;  // else some meet so closely that rounding decides
    list.single_steps(some, draw.between(66, 80));
  }
  for (int k = 0; k < 3; ++k) {
    Case& test = list.add(Group::steps, "one step from rest",
                          at_rest(without_encounters(draw.scene(draw.between(20, 60)))));
    test.request.steps = 1;
    test.request.every_state = true;
    test.alone = rest_alone;
  }
  for (int k = 0; k < 2; ++k) {
    // What was computed before is kept as long as the first body stays where it is.
    Case& test = list.single_steps(around_a_sun(draw.scene(draw.between(20, 60))), 3);
    test.alone = {"heavy_first_body",
                  "right if the first body moves, wrong if it is so heavy that it stays"};
  }
  add_steps_in_one_go(list);
  add_no_step(list);
  add_steps_of_the_bench(list);
}

}  // namespace nbody::check
