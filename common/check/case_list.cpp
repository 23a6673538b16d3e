#include "check/case_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "bodies/units.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t few = 17;             // all sizes up to here are asked
constexpr std::size_t sampled_from = 5000;  // of more bodies only some are compared
constexpr std::size_t sampled = 160;

}  // namespace

std::vector<std::size_t> Draw::sizes() {
  std::vector<std::size_t> sizes(few);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  const std::size_t start = between(few + 1, 100);
  for (std::size_t k = 0; k < 16; ++k) sizes.push_back(start + k);
  for (const std::size_t width : {24, 32, 48, 64, 96, 128, 256}) {
    const std::size_t multiple = width * between(1, 512 / width);
    const std::size_t rest = between(2, width - 2);
    sizes.insert(sizes.end(), {multiple - 1, multiple, multiple + 1, multiple + rest});
  }
  // Every other time a multiple of 256.
  const std::size_t above = one_in(2) ? between(1025, 2600) : 256 * between(5, 10);
  sizes.insert(sizes.end(), {between(513, 1023), above});
  return sizes;
}

std::vector<std::size_t> Draw::rows(std::size_t n) {
  std::vector<std::size_t> rows;
  if (n <= sampled_from) {
    rows.resize(n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  for (std::size_t k = 0; k < 16; ++k) rows.insert(rows.end(), {k, n - 1 - k});
  while (rows.size() < sampled) rows.push_back(between(0, n - 1));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Scene Draw::scene(std::size_t n) {
  const CheckScene kind = check_scenes[turn_ / 3 % std::size(check_scenes)];
  // A sum of thousands of terms of very different sizes loses too many digits.
  return scene(n > 1024 ? CheckScene::equal_masses : kind, n);
}

Scene Draw::scene(CheckScene kind, std::size_t n) {
  return make_check_scene(kind, n, seed() * 3 + turn_++ % 3);
}

Scene Draw::adaptive_scene(std::size_t n) {
  Scene made = scene(n);
  if (n < 2 || one_in(3)) return made;
  const std::size_t last = n - 1, any = between(0, n - 1);
  const std::size_t near_end = last - between(0, std::min<std::size_t>(7, last));
  switch (between(0, 4)) {
    case 0:
      return with_flier(std::move(made), any, last);
    case 1:
      return with_flier(std::move(made), any, near_end);
    case 2:
      return with_flier(std::move(made), near_end, any);
    case 3:
      return with_flier(std::move(made), 0, any);
    default:
      return with_flier(std::move(made), last, any);
  }
}

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
