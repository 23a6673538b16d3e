#include <cmath>
#include <utility>

#include "bodies/scenes.hpp"
#include "bodies/units.hpp"
#include "check/case_list.hpp"
#include "check/exact_cases.hpp"

namespace nbody::check {
namespace {

const char* const close_pairs_alone =
    "right except for close pairs: does r^2 come from |a|^2 + |b|^2 - 2 a.b, which cancels? Take "
    "differences of positions first";

// As bench times it, but without softening, which has cases of its own.
Scene star_cluster(std::size_t n, std::uint64_t seed) {
  Scene scene = make_scene("plummer", n, seed);
  scene.setting.softening = 0;
  return scene;
}

// Shifted by four sizes, on a grid on which no bit is lost: the pulls are the same.
Scene shifted(Scene scene) {
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  const double grid = std::ldexp(1.0, units.length - 12);
  for (auto* q : {&scene.bodies.qx, &scene.bodies.qy, &scene.bodies.qz}) {
    for (double& value : *q) value = std::round(value / grid) * grid + 4096 * 4 * grid;
  }
  return scene;
}

}  // namespace

void add_forces(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : draw.sizes()) {
    for (const CheckScene kind : check_scenes) {
      const bool some = n > short_runs && n <= 512;
      if (some && kind != CheckScene::equal_masses && !draw.one_in(3)) continue;
      if (n > 1024 && kind != CheckScene::equal_masses) continue;
      // A giant among many shows digits that are missing in its pull, but not in every unit system.
      const bool giant = kind == CheckScene::heavy_tail || kind == CheckScene::giant_at_edge;
      for (int world = 0; world < (giant && n > 512 ? 3 : 1); ++world) {
        Case& test = list.forces_of(draw.scene(kind, n), name_of(kind));
        if (kind == CheckScene::clustered) test.alone = close_pairs_alone;
      }
    }
  }
  // What bench times: a dense core, where few pulls are large, in a wide halo.
  for (const auto& [fewest, most] : {std::pair{130, 900}, {1000, 1100}, {1500, 2100}}) {
    const std::size_t n = draw.between(fewest, most);
    list.forces_of(star_cluster(n, draw.seed()), "star cluster").alone = close_pairs_alone;
  }
  if (!list.extent.in_double) {
    const std::size_t n = draw.between(very_many_from, 40'000);
    list.forces_of(star_cluster(n, draw.seed()), "star cluster").alone = close_pairs_alone;
  }
}

// Each also in a crowd, so that it meets vector loops.
void add_exact_cases(CaseList& list) {
  Draw& draw = list.draw;
  for (const Case& exact : exact_cases()) {
    list.keep(exact);
    if (exact.n() == 1) continue;
    const std::size_t companions = 63 + draw.between(0, 16);
    for (const Placement placement : {Placement::first, Placement::anywhere}) {
      list.keep(in_a_crowd(exact, placement, companions, draw.seed()));
    }
  }
  const std::size_t many = draw.between(3900, 4200);
  Case close =
      case_of(Group::exact_cases, "close pairs among many", close_pairs(many, draw.seed()));
  close.request.want_accelerations = true;
  close.alone = close_pairs_alone;
  if (!list.extent.in_double) list.keep(std::move(close));
  Case far = case_of(Group::exact_cases, "shifted, the same pull",
                     shifted(draw.scene(CheckScene::equal_masses, draw.between(100, 140))));
  far.request.want_accelerations = true;
  list.keep(std::move(far));
}

}  // namespace nbody::check
