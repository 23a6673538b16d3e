#pragma once

#include <cmath>
#include <cstddef>

#include "check/zoo/plain.hpp"
#include "simulator/other_precision.hpp"

namespace nbody {

// Wrong answers that no row of the table of mistakes can express.

// Like a race in the minimum, but in every run: a larger step in some calls.
class AdaptiveChanges : public Plain {
 public:
  using Plain::Plain;

  real largest_time_step() override {
    static int calls = 0;
    const real smallest = Plain::largest_time_step();
    return ++calls % 7 == 3 ? smallest * real(1.5) : smallest;
  }
};

// A static buffer keeps the accelerations of an earlier problem: if it is large enough, the first
// evaluation of a new problem gives the old answer. The first problem of a program, and every
// larger one, is right.
class StaticState : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    static Vectors<real> kept;
    const std::size_t n = bodies.size();
    if (first && kept.size() >= n) {
      for (std::size_t i = 0; i < n; ++i) {
        set_acceleration(i, {kept.x[i], kept.y[i], kept.z[i]});
      }
    } else {
      Plain::compute_accelerations();
      kept = acceleration;
    }
    first = false;
  }

 private:
  bool first = true;
};

// The program for double computes in float inside, as after a forgotten `float` in one line, or
// `rsqrtf` in a template. Right in float.
class FloatInside : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    PlainOf<float> inside(in_precision<float>(Problem{bodies, G, std::sqrt(softening2)}));
    inside.compute_accelerations();
    Vectors<float> computed;
    inside.copy_accelerations(computed);
    acceleration = in_precision<real>(computed);
  }
};

// As if indices had 14 bits: sources beyond the first 2^14 are lost.
class ShortIndex : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    return j < (std::size_t{1} << 14) ? Plain::pull(i, j) : Triple{};
  }
};

}  // namespace nbody
