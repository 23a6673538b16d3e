#include "check/case_list.hpp"

#include <fmt/format.h>

#include "bodies/units.hpp"

namespace nbody::check {

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
  test.request.want_accelerations = true;
  return test;
}

Case steps_in_one_go(Scene scene, std::uint64_t steps, double time) {
  scene.setting.dt = rounded_to_float(scene.setting.dt * time / static_cast<double>(steps));
  Case test = case_of(Group::steps, fmt::format("{} steps in one go", steps), scene);
  test.request.steps = steps;
  test.request.want_accelerations = true;
  return test;
}

Case& CaseList::single_steps(const Scene& scene, std::uint64_t steps) {
  Case& test = add(Group::steps, fmt::format("{} single steps", steps), scene);
  test.request.steps = steps;
  test.request.want_every_state = true;
  test.request.want_accelerations = true;
  // A floor is for adaptive steps only.
  if (draw.one_in(2)) test.request.setting.dt_floor = 2 * test.request.setting.dt;
  return test;
}

Case& CaseList::adaptive_steps(const Scene& scene, std::uint64_t steps) {
  Case& test = add(Group::adaptive_step, "", scene);
  make_adaptive(test);
  test.request.steps = steps;
  test.request.want_every_state = true;
  test.request.want_accelerations = true;
  return test;
}

Case& CaseList::with_integrator(const std::string& scheme, const Scene& scene, bool adaptive) {
  Case& test = add(Group::integrators, scheme, scene);
  if (adaptive) {
    make_adaptive(test);
    test.what += ", adaptive step";
  }
  test.request.setting.integrator = scheme;
  test.request.steps = 1;
  test.request.want_every_state = true;
  test.request.want_accelerations = true;
  return test;
}

void CaseList::make_adaptive(Case& test) {
  const auto is_finite = [](double step) { return step > 0 && step < 1e300; };
  Setting& setting = test.request.setting;
  test.request.adaptive = true;
  const Reference reference =
      reference_accelerations(test.request.bodies, setting.G, setting.softening, test.rows);
  const double first = reference_time_step(test.request.bodies, reference.acceleration, test.rows);
  const double dt = is_finite(first) ? first : setting.dt;
  setting.dt = rounded_to_float(dt * (draw.one_in(2) ? 8 : 0.125));
  const std::size_t kind = draw.between(0, 3);
  if (kind == 0) setting.dt_floor = rounded_to_float(dt * 1.5);
  if (kind == 1) setting.dt_floor = rounded_to_float(dt * 0.5);
}

}  // namespace nbody::check
