#include <algorithm>
#include <string>
#include <vector>

#include "check/case_list.hpp"
#include "core/scheme.hpp"

// Kicks and drifts by other integrators, the jerk, and what a run conserves.

namespace nbody::check {
namespace {

bool steps_back(const Scheme& scheme) {
  return std::any_of(scheme.sequence.begin(), scheme.sequence.end(),
                     [](const Operation& one) { return one.fraction < 0; });
}

}  // namespace

// Kick and drift meet all sizes by the two orders in which a step can call them; the others only
// combine them otherwise.
void add_integrators(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : draw.sizes()) {
    const bool adaptive = draw.one_in(2);
    const char* scheme = draw.one_in(2) ? "kdk" : "dkd";
    const Scene scene = draw.scene_for(n, adaptive);
    list.with_integrator(scheme, without_encounters(scene), adaptive);
  }
  for (const Scheme& scheme : schemes()) {
    if (&scheme == &schemes().front() || scheme.symmetric_step) continue;
    std::vector<std::size_t> sizes = {2, draw.between(20, 60), draw.between(90, 130)};
    // Nothing else takes negative steps of many bodies.
    if (steps_back(scheme) && !list.extent.in_double) sizes.push_back(draw.between(300, 1000));
    for (const std::size_t n : sizes) {
      const bool adaptive = n > 2 && draw.one_in(2);
      const Scene scene = draw.scene_for(n, adaptive);
      list.with_integrator(std::string(scheme.name), without_encounters(scene), adaptive);
    }
  }
}

void add_jerk(CaseList& list) {
  for (const std::size_t n : list.draw.sizes()) list.jerk_of(list.draw.scene(n));
}

void add_conservation(CaseList& list) {
  for (const CheckScene kind : {CheckScene::equal_masses, CheckScene::heavy_tail}) {
    Scene scene = list.draw.scene(kind, list.draw.between(100, 160));
    const std::vector<double>& x = scene.bodies.qx;
    scene.setting.softening = *std::max_element(x.begin(), x.end()) / 4;
    scene.setting.dt /= 4;
    list.add(Group::conservation, "energy and momenta", scene).request.steps = 50;
  }
}

}  // namespace nbody::check
