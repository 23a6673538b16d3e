#include <utility>

#include "check/case_list.hpp"

namespace nbody::check {
namespace {

// As bench times it, but without softening, which has cases of its own.
void add_star_cluster(CaseList& list, std::size_t n) {
  Scene scene = star_cluster(n, list.draw.seed());
  scene.setting.softening = 0;
  list.forces_of(scene, "star cluster").alone = close_pairs_alone;
}

}  // namespace

void add_forces(CaseList& list) {
  Draw& draw = list.draw;
  for (const std::size_t n : draw.sizes()) {
    for (const CheckScene kind : check_scenes) {
      const bool some = n > short_runs && n <= 512;
      if (some && kind != CheckScene::equal_masses && !draw.one_in(3)) continue;
      if (n >= 1000 && kind != CheckScene::equal_masses) continue;
      // A giant among many shows digits that are missing in its pull, but not in every unit system.
      const bool giant = kind == CheckScene::heavy_tail || kind == CheckScene::giant_at_edge;
      for (int world = 0; world < (giant && n > 512 ? 3 : 1); ++world) {
        Case& test = list.forces_of(draw.scene(kind, n), name_of(kind));
        if (kind == CheckScene::clustered) test.alone = close_pairs_alone;
      }
    }
  }
  // What bench times: a dense core, where few pulls are large, in a wide halo.
  std::vector<std::pair<int, int>> ranges = {{130, 900}, {1000, 1100}, {1500, 2100}};
  draw.shuffle(ranges);
  if (list.extent.in_double) ranges.resize(1);
  for (const auto& [fewest, most] : ranges) add_star_cluster(list, draw.between(fewest, most));
  if (!list.extent.in_double) add_star_cluster(list, draw.between(33'000, 40'000));
}

}  // namespace nbody::check
