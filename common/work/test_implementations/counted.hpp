#pragma once

#include <cstdlib>
#include <new>

#include "small.hpp"

// One class for each reason why counting succeeds, or is refused. Every count program has all of
// them, and runs one.
namespace nbody {

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

// Sources in groups of 16; the last group is padded with distant bodies of zero mass.
class Padded : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for_all_pairs((n + 15) / 16 * 16, [this, n](Target& pulled, std::size_t j) {
      if (j < n) {
        add(pulled, j);
      } else {
        pulled.add(real(0), real(9), real(9), real(9));
      }
    });
  }
};

// The nearest neighbour of j is stored only when it is nearer.
class Nearest : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    nearest.assign(bodies.size(), real(1e30));
    for_all_pairs(bodies.size(), [this](Target& pulled, std::size_t j) {
      add(pulled, j);
      const real distance = std::abs(bodies.qx[j] - pulled.x);
      if (distance < nearest[j]) nearest[j] = distance;
    });
  }

 private:
  std::vector<real> nearest;
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

// Bodies in memory from malloc, which is not counted.
class NotOnTheHeap : public Small {
 public:
  explicit NotOnTheHeap(const Problem& problem)
      : Small(problem), n(problem.bodies.size()), own(copy(problem.bodies)) {}
  ~NotOnTheHeap() override { std::free(own); }
  NotOnTheHeap(const NotOnTheHeap&) = delete;

  void compute_accelerations() override {
    for (std::size_t i = 0; i < n; ++i) {
      Target pulled{own[i].x, own[i].y, own[i].z};
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) pulled.add(own[j].mass, own[j].x, own[j].y, own[j].z);
      }
      store(i, pulled);
    }
  }

 private:
  struct Body {
    real mass, x, y, z;
  };
  static Body* copy(const Bodies<real>& from) {
    auto* to = static_cast<Body*>(std::malloc(from.size() * sizeof(Body)));
    for (std::size_t i = 0; i < from.size(); ++i) {
      new (to + i) Body{from.mass[i], from.qx[i], from.qy[i], from.qz[i]};
    }
    return to;
  }

  std::size_t n;
  Body* own;
};

}  // namespace nbody
