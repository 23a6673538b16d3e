#pragma once

#include <cstdio>
#include <thread>

#include "small.hpp"

// One class for each reason why counting succeeds, or is refused. Every count program has all of
// them, and runs one. What a header prints is not the counts'.
namespace nbody {

inline const int printed = std::puts("from a student's header");

// Body i and the sums in locals.
class Hoisted : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    for_all_pairs(bodies.size(), [this](Target& pulled, std::size_t j) { add(pulled, j); });
  }
};

// The first call multiplies G into the masses; no later one does.
class Prepared : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    if (weight.empty()) {
      for (std::size_t j = 0; j < n; ++j) weight.push_back(G * bodies.mass[j]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      Target pulled = target(i);
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) pulled.add(weight[j], bodies.qx[j], bodies.qy[j], bodies.qz[j]);
      }
      acceleration.x[i] = pulled.ax;
      acceleration.y[i] = pulled.ay;
      acceleration.z[i] = pulled.az;
    }
  }

 private:
  std::vector<real> weight;
};

// Reads its positions as if they were plain numbers.
class PastTheCounting : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const auto* qx = reinterpret_cast<const double*>(bodies.qx.data());
    for (std::size_t i = 0; i < n; ++i) {
      Target pulled{real(qx[i]), bodies.qy[i], bodies.qz[i]};
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) pulled.add(bodies.mass[j], real(qx[j]), bodies.qy[j], bodies.qz[j]);
      }
      store(i, pulled);
    }
  }
};

// Keeps the masses in double.
class WayOut : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    for_all_pairs(bodies.size(), [this](Target& pulled, std::size_t j) {
      const double mass = as_double(bodies.mass[j]);
      pulled.add(real(mass), bodies.qx[j], bodies.qy[j], bodies.qz[j]);
    });
  }
};

// Half of the bodies in another thread.
class TwoThreads : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    std::thread other([this, n] { compute(0, n / 2); });
    compute(n / 2, n);
    other.join();
  }

 private:
  void compute(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      Target pulled = target(i);
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (j != i) add(pulled, j);
      }
      store(i, pulled);
    }
  }
};

}  // namespace nbody
