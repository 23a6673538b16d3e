#pragma once

#include "../part1_standard_opti/octree.hpp"
#include "allgather.hpp"

namespace nbody {

// Exhibit: part 1's tree, on ranks; the check refuses it, since it is not all-pairs.
// Problem: with P ranks each computes N^2 / P pulls, so twice the ranks take 1.4 x as many bodies.
// Idea: positions travel as in allgather. Each rank plants the same tree of all bodies, and takes
// only its own bodies through it.
// Changed: the tree in place of the loops over pairs.
// Predicted: with 100 000 bodies planting is 1 % of the work, so it limits nobody; on one rank the
// tree beats allgather, whose loop runs on vectors, from 300 000 bodies on. Measured (README.md):
// 0.2 %; not yet with 300 000.
class BarnesHut : public Allgather {
 public:
  explicit BarnesHut(const Problem& problem)
      : Allgather(problem), tree(real(0.3), problem.softening) {}

  void compute_accelerations() override {
    plant();
    for_own_bodies([this](std::size_t i, std::size_t k) {
      const Octree::Pull pull = tree.pull_on(tree.points()[k]);
      acceleration[i] = {G * pull.x, G * pull.y, G * pull.z};
    });
  }

 private:
  Octree tree;

  // Of the same positions, so the tree still stands.
  std::vector<real> nearest_distances2() override {
    std::vector<real> nearest2(own.size());
    for_own_bodies([&](std::size_t i, std::size_t k) { nearest2[i] = tree.nearest2_of(k); });
    return nearest2;
  }

  void plant() {
    std::vector<Octree::Point> points;
    points.reserve(total);
    for (const Source& body : of_all_ranks(own)) {
      points.push_back({body.mass, body.x, body.y, body.z, points.size()});
    }
    tree.plant(std::move(points));
  }

  // In the order of the tree: one body meets nearly the same cells as the next.
  template <typename Action>
  void for_own_bodies(const Action& action) const {
    const std::vector<Octree::Point>& points = tree.points();
    const std::size_t first = first_of(rank), end = first_of(rank + 1);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::size_t body = points[k].body;
      if (body >= first && body < end) action(body - first, k);
    }
  }
};

}  // namespace nbody
