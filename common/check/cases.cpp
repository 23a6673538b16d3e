#include <algorithm>
#include <iterator>

#include "check/case_list.hpp"

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
           test.request.threads + test.request.ranks == 0;
  });
  if (first != cases.end()) std::swap(*first, cases.front());
  // Programs start anew for each block and each number of ranks.
  std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
    const auto place = [](const Case& test) {
      return std::tuple(test.block, test.request.ranks, test.n() >= many_from,
                        test.n() >= very_many_from);
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

Scene scene_of(const protocol::Request& request) { return {request.bodies, request.setting, 0}; }

std::vector<Case> make_cases(const Extent& extent) {
  CaseList list(extent);
  add_forces(list);
  add_exact_cases(list);
  add_steps(list);
  add_adaptive_steps(list);
  add_integrators(list);
  add_jerk(list);
  if (!extent.in_double) {
    add_conservation(list);
    extent.ranks > 0 ? add_ranks(list) : add_threads(list);
    add_other_blocks(list);
  }
  add_step_of_many_bodies(list);
  if (extent.largest_n > 0) {
    std::erase_if(list.cases, [&](const Case& test) { return test.n() > extent.largest_n; });
  }
  put_in_drawn_order(list);
  if (extent.largest_n == 0 || extent.largest_n > short_runs) add_twice_the_masses(list);
  return std::move(list.cases);
}

}  // namespace nbody::check
