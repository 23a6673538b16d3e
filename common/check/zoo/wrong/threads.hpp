#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// Third law with threads that all add to the same accelerations: updates are lost, different ones
// in each run. Right with one thread.
class DataRace : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    clear_accelerations();
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        const Triple f = field(i, j);
        add_acceleration(i, f * bodies.mass[j]);
        add_acceleration(j, f * -bodies.mass[i]);
      }
    }
  }
};

// Bodies are shared out by hand, and the remainder is lost if the number of threads is odd. Right
// with one thread.
class RemainderLost : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const std::size_t threads = static_cast<std::size_t>(omp_get_max_threads());
    const std::size_t computed = threads % 2 == 0 ? n : n / threads * threads;
    clear_accelerations();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < computed; ++i) set_acceleration(i, acceleration_of(i));
  }
};

// The smallest steps of the threads are combined in eight slots, so those of more threads replace
// earlier ones.
class EightSlots : public Plain {
 public:
  using Plain::Plain;

  real largest_time_step() override {
    constexpr real infinity = std::numeric_limits<real>::infinity();
    std::vector<real> smallest(static_cast<std::size_t>(omp_get_max_threads()), infinity);
#pragma omp parallel
    {
      real& mine = smallest[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < bodies.size(); ++i) mine = std::min(mine, time_step_of(i));
    }
    std::array<real, 8> slots;
    slots.fill(infinity);
    for (std::size_t k = 0; k < smallest.size(); ++k) slots[k % slots.size()] = smallest[k];
    return *std::min_element(slots.begin(), slots.end());
  }
};

// All threads write the smallest step so far to one place: between the question whether theirs is
// smaller and the answer another one writes its own.
class RaceForTheSmallest : public Plain {
 public:
  using Plain::Plain;

  real largest_time_step() override {
    real smallest = std::numeric_limits<real>::infinity();
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const real own = time_step_of(i);
      if (own < smallest) smallest = own;
    }
    return smallest;
  }
};

// Each thread but the first adds to a static buffer of its own, which is not set to zero again.
// Right on one thread.
class StaticSumsOfThreads : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    static std::vector<Vectors<real>> sums;
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    if (sums.size() < threads) sums.resize(threads);
    for (Vectors<real>& own : sums) {
      if (own.size() < n) own.resize(n);
    }
    Plain::compute_accelerations();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      Vectors<real>& own = sums[static_cast<std::size_t>(omp_get_thread_num())];
      if (omp_get_thread_num() == 0) continue;
      own.x[i] += acceleration.x[i];
      own.y[i] += acceleration.y[i];
      own.z[i] += acceleration.z[i];
      set_acceleration(i, {own.x[i], own.y[i], own.z[i]});
    }
  }
};

}  // namespace nbody
