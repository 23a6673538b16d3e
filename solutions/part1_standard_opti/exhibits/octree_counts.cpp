// How many cells and bodies a body of barnes_hut meets. data/results/part1_tree_counts.txt says how
// it was built, which made the private parts of the tree visible, and what it printed.
#include <cstdio>
#include <initializer_list>

#include "core/scenes.hpp"
#include "octree.hpp"

int main() {
  for (const double angle : {0.3, 0.6}) {
    for (const std::size_t n : {1000, 3000, 10000, 30000, 100000}) {
      const auto bodies = nbody::make_scene("plummer", n, 1).bodies;
      std::vector<nbody::Octree::Point> points;
      for (std::size_t i = 0; i < n; ++i) {
        // All have the same mass, and that of the scene would leave float's range.
        points.push_back(
            {1,
             {nbody::real(bodies.qx[i]), nbody::real(bodies.qy[i]), nbody::real(bodies.qz[i])},
             i});
      }
      nbody::Octree tree(nbody::real(angle), 0);
      tree.build(std::move(points));
      std::size_t cells_met = 0, bodies_met = 0;
      for (const auto& point : tree.points()) {
        const auto open = [&](const auto& cell) {
          const auto d = cell.centre - point.q;
          const bool is_far = dot(d, d) > cell.opened_within2;
          cells_met += is_far;
          return !is_far;
        };
        tree.walk(open, [&](const auto& other) { bodies_met += other.body != point.body; });
      }
      std::printf("angle %.1f  %6zu bodies: a body meets %5.0f cells and %5.0f bodies\n", angle, n,
                  double(cells_met) / n, double(bodies_met) / n);
    }
  }
}
