#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// Wrong for many bodies only, or after several steps.

inline constexpr std::size_t capacity = 4096;  // of an array
inline constexpr std::size_t many = 300;       // from here on, another loop

// Bodies beyond the capacity neither pull nor are pulled.
class FixedCapacity : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    return std::max(i, j) < capacity ? Plain::pull(i, j) : Triple{};
  }
};

// update_bodies() moves the first bodies only.
class FirstOnly : public Plain {
 public:
  FirstOnly(const Problem& problem, std::size_t moved) : Plain(problem), moved_(moved) {}

  void update_bodies(real dt) override {
    const Bodies<real> before = bodies;
    Plain::update_bodies(dt);
    const auto from = before.columns();
    const auto to = bodies.columns();
    for (std::size_t column = 0; column < to.size(); ++column) {
      std::copy(from[column]->begin() + static_cast<std::ptrdiff_t>(moved_), from[column]->end(),
                to[column]->begin() + static_cast<std::ptrdiff_t>(moved_));
    }
  }

 private:
  std::size_t moved_;
};

// Bodies beyond the capacity do not move.
class CapacityOfUpdate : public FirstOnly {
 public:
  explicit CapacityOfUpdate(const Problem& problem)
      : FirstOnly(problem, std::min(capacity, problem.bodies.size())) {}
};

// Bodies beyond the capacity are left out of the search for the smallest step.
class CapacityOfSearch : public Plain {
 public:
  using Plain::Plain;

 protected:
  real time_step_of(std::size_t i) const override {
    return i < capacity ? Plain::time_step_of(i) : std::numeric_limits<real>::infinity();
  }
};

inline std::size_t whole_batches(std::size_t n) { return n < many ? n : n / 8 * 8; }

// Many bodies are moved in whole batches of 8, and the rest is not.
class TailOfUpdate : public FirstOnly {
 public:
  explicit TailOfUpdate(const Problem& problem)
      : FirstOnly(problem, whole_batches(problem.bodies.size())) {}
};

// kick() takes whole batches of 8 of many bodies, and forgets the rest.
class TailOfKick : public Plain {
 public:
  using Plain::Plain;

  void kick(real dt) override {
    const Bodies<real> before = bodies;
    Plain::kick(dt);
    for (std::size_t i = whole_batches(bodies.size()); i < bodies.size(); ++i) {
      bodies.vx[i] = before.vx[i];
      bodies.vy[i] = before.vy[i];
      bodies.vz[i] = before.vz[i];
    }
  }
};

// kick() writes the velocity of x into that of y.
class KickOfOneAxis : public Plain {
 public:
  using Plain::Plain;

  void kick(real dt) override {
    Plain::kick(dt);
    bodies.vy = bodies.vx;
  }
};

// The bodies are sorted again in each step, and the new order is put under the old one instead of
// on top of it.
class SortedAgain : public Plain {
 public:
  explicit SortedAgain(const Problem& problem) : Plain(problem), original(problem.bodies.size()) {
    std::iota(original.begin(), original.end(), std::size_t{0});
  }

  void compute_accelerations() override {
    std::vector<std::size_t> order(bodies.size()), composed(bodies.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return bodies.qx[a] < bodies.qx[b]; });
    const Bodies<real> before = bodies;
    const auto from = before.columns();
    const auto to = bodies.columns();
    for (std::size_t column = 0; column < to.size(); ++column) {
      for (std::size_t k = 0; k < order.size(); ++k) {
        (*to[column])[k] = (*from[column])[order[k]];
      }
    }
    for (std::size_t k = 0; k < order.size(); ++k) composed[k] = order[original[k]];
    original = composed;
    Plain::compute_accelerations();
  }

  void copy_state(Bodies<real>& state) const override {
    for (std::size_t k = 0; k < original.size(); ++k) {
      state.qx[original[k]] = bodies.qx[k];
      state.qy[original[k]] = bodies.qy[k];
      state.qz[original[k]] = bodies.qz[k];
      state.vx[original[k]] = bodies.vx[k];
      state.vy[original[k]] = bodies.vy[k];
      state.vz[original[k]] = bodies.vz[k];
    }
  }

  void copy_accelerations(Vectors<real>& accelerations) const override {
    accelerations = acceleration;
    for (std::size_t k = 0; k < original.size(); ++k) {
      accelerations.x[original[k]] = acceleration.x[k];
      accelerations.y[original[k]] = acceleration.y[k];
      accelerations.z[original[k]] = acceleration.z[k];
    }
  }

 private:
  std::vector<std::size_t> original;  // of each place
};

}  // namespace nbody
