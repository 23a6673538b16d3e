#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "check/case_list.hpp"
#include "check/judge.hpp"
#include "core/units.hpp"

// What is asked is drawn, not listed: a list of sizes finds the mistakes that its author thought
// of. Every aspect of a simulator meets sizes of the same kinds, so that a tail that is lost in
// kick() is as visible as one that is lost in the forces.

namespace nbody::check {
namespace {

// One after the other: an answer that is remembered by the places of bodies shows.
void add_twice_the_masses(CaseList& list) {
  const std::size_t n = list.draw.between(70, short_runs);
  Case once = list.forces_of(list.draw.scene(CheckScene::equal_masses, n),
                             "twice the masses, twice the pull");
  list.cases.pop_back();
  once.group = Group::exact_cases;
  Case twice = once;
  for (double& mass : twice.request.bodies.mass) mass *= 2;
  list.cases.insert(std::next(list.cases.begin()), {std::move(once), std::move(twice)});
}

// The first request is a drawn one of some size: memory that is read before it is written shows
// before anything has been written there. Large ones come last, when it is known what they cost.
void put_in_drawn_order(CaseList& list) {
  std::vector<Case>& cases = list.cases;
  list.draw.shuffle(cases);
  const auto first = std::find_if(cases.begin(), cases.end(), [](const Case& test) {
    return test.n() > 30 && test.n() < 600 && test.block == 0 &&
           test.request.threads + test.ranks == 0;
  });
  if (first != cases.end()) std::swap(*first, cases.front());
  // Programs start anew for each block and each number of ranks.
  std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
    const auto place = [](const Case& test) {
      return std::tuple(test.block, test.ranks, test.n() >= many_from, test.n() >= very_many_from);
    };
    return place(a) < place(b);
  });
}

}  // namespace

const Reference& Case::reference() const {
  if (!computed) {
    const Setting& setting = request.setting;
    computed = std::make_shared<const Reference>(
        reference_accelerations(request.bodies, setting.G, setting.softening, rows));
  }
  return *computed;
}

const Run& Case::run() const {
  if (!ran) ran = std::make_shared<const Run>(reference_run(request));
  return *ran;
}

Case case_of(Group group, std::string what, const Scene& scene) {
  Case test{group, std::move(what), {}, {}};
  test.request.bodies = scene.bodies;
  test.request.setting = scene.setting;
  return test;
}

Scene scene_of(const Request& request) { return {request.bodies, request.setting, 0}; }

Case& CaseList::add(Group group, std::string what, const Scene& scene) {
  cases.push_back(case_of(group, std::move(what), scene));
  cases.back().rows = draw.rows(scene.bodies.size());
  return cases.back();
}

void CaseList::keep(Case test) {
  test.rows = draw.rows(test.n());
  cases.push_back(std::move(test));
}

Case& CaseList::forces_of(const Scene& scene, const std::string& what) {
  Case& test = add(Group::forces, what, scene);
  test.request.accelerations = true;
  return test;
}

Case& CaseList::jerk_of(const Scene& scene) {
  Case& test = add(Group::jerk, "da/dt", scene);
  test.request.jerk = true;
  test.request.accelerations = true;  // those that come with it
  return test;
}

Case steps_in_one_go(Scene scene, std::uint64_t steps, double time) {
  scene.setting.dt = rounded_to_float(scene.setting.dt * time / static_cast<double>(steps));
  Case test = case_of(Group::steps, fmt::format("{} steps in one go", steps), scene);
  test.request.steps = steps;
  test.request.accelerations = true;
  return test;
}

Case& CaseList::single_steps(const Scene& scene, std::uint64_t steps) {
  Case& test = add(Group::steps, fmt::format("{} single steps", steps), scene);
  test.request.steps = steps;
  test.request.every_state = true;
  test.request.accelerations = true;
  // A floor is for adaptive steps only.
  if (draw.one_in(2)) test.request.setting.dt_floor = 2 * test.request.setting.dt;
  return test;
}

Case& CaseList::adaptive_steps(const Scene& scene, std::uint64_t steps) {
  Case& test = add(Group::adaptive_step, "", scene);
  make_adaptive(test);
  test.request.steps = steps;
  test.request.every_state = true;
  test.request.accelerations = true;
  return test;
}

Case& CaseList::with_integrator(const std::string& scheme, const Scene& scene, bool adaptive) {
  Case& test = add(Group::integrators, scheme, scene);
  if (adaptive) {
    make_adaptive(test);
    test.what += ", adaptive step";
  }
  test.request.setting.integrator = scheme;
  // Each evaluates the forces twice or more.
  test.request.steps = scene.bodies.size() > long_steps / 2 ? 1 : 2;
  test.request.every_state = true;
  test.request.accelerations = true;
  return test;
}

void CaseList::make_adaptive(Case& test) {
  const auto is_finite = [](double step) { return step > 0 && step < 1e300; };
  Setting& setting = test.request.setting;
  test.request.adaptive = true;
  const double first =
      reference_time_step(test.request.bodies, test.reference().acceleration, test.rows);
  const double dt = is_finite(first) ? first : setting.dt;
  setting.dt = draw.digits_of(dt * (draw.one_in(2) ? 8 : 0.125));
  const std::size_t kind = draw.between(0, 3);
  if (kind == 0) setting.dt_floor = draw.digits_of(dt * 1.5);
  if (kind == 1) setting.dt_floor = draw.digits_of(dt * 0.5);
}

std::vector<Case> make_cases(const Extent& extent) {
  CaseList list(extent);
  add_forces(list);
  add_exact_cases(list);
  add_steps(list);
  add_adaptive_steps(list);
  add_integrators(list);
  add_jerk(list);
  add_exact_jerks(list);
  if (!extent.in_double) {
    add_conservation(list);
    extent.ranks > 0 ? add_ranks(list) : add_threads(list);
    add_other_blocks(list);
  } else if (extent.ranks == 0) {
    add_some_threads(list);
  }
  add_many_bodies(list);
  if (extent.largest_n > 0) {
    std::erase_if(list.cases, [&](const Case& test) { return test.n() > extent.largest_n; });
  }
  put_in_drawn_order(list);
  if (extent.largest_n == 0 || extent.largest_n > short_runs) add_twice_the_masses(list);
  return std::move(list.cases);
}

}  // namespace nbody::check
