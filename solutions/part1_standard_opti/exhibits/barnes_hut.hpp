// Problem: every rung computes N^2 interactions; a machine with 50 x the speed takes 7 x the
// bodies.
// Idea: a group of bodies far away acts almost like one body at its centre of mass (J. Barnes,
// P. Hut, Nature 324, 1986). An octree has such groups in all sizes. A body takes a cell as a whole
// if it sees it under less than OPENING_ANGLE (from the environment, else 0.3); a larger one is
// opened. What is left is N log N.
// Predicted: 2.5 x: a body uses some 1000 cells and bodies, so openmp is level at 2000 bodies.
// Measured: 1.06 x with 5000 bodies on two threads; on one of a Xeon 1.5 x with 10 000. The check
// says "right to about ... digits".
// Why: with 30 000 bodies a body uses 3150 cells and 5070 bodies
// (data/results/part1_tree_counts.txt). N log N has a large constant: it grows with the third power
// of 1/angle, and so does the accuracy, since cells have second moments.
// `./lab check part1 barnes_hut --tolerance approximate` accepts it, with OPENING_ANGLE=0.6 not.
#pragma once

#include <cstdlib>
#include <string>

#include "../03_fused.hpp"
#include "core/input_error.hpp"
#include "octree.hpp"

namespace nbody {

class BarnesHut : public Fused {
 public:
  explicit BarnesHut(const Problem& problem)
      : Fused(problem), tree(opening_angle(), problem.softening) {}

  void compute_accelerations() override {
    std::vector<Octree::Point> points;
    for (const Body& b : bodies) points.push_back({b.mass, {b.qx, b.qy, b.qz}, points.size()});
    tree.build(std::move(points));
#pragma omp parallel for schedule(dynamic, 64)  // bodies in the centre open more cells
    for (std::size_t k = 0; k < tree.points().size(); ++k) {
      const Octree::Point& point = tree.points()[k];
      const auto [ax, ay, az] = G * tree.acceleration_of(point);
      Body& body = bodies[point.body];
      body.ax = ax;
      body.ay = ay;
      body.az = az;
    }
  }

  // Of the same positions, so the tree still stands.
  real largest_time_step() override {
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t k = 0; k < tree.points().size(); ++k) {
      nearest2[tree.points()[k].body] = tree.nearest2_of(k);
    }
    return Fused::largest_time_step();
  }

 private:
  Octree tree;

  static real opening_angle() {
    const std::string text = std::getenv("OPENING_ANGLE") ? std::getenv("OPENING_ANGLE") : "0.3";
    char* end;
    const double angle = std::strtod(text.c_str(), &end);
    if (*end == '\0' && angle > 0 && angle <= 1) return real(angle);
    throw InputError("OPENING_ANGLE needs a number above 0, at most 1, not '" + text + "'");
  }
};

}  // namespace nbody
