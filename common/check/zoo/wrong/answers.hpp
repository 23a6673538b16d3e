#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "check/mistakes/other_precision.hpp"
#include "check/zoo/plain.hpp"

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
    PlainOf<float> inside(check::in_precision<float>(Problem{bodies, G, std::sqrt(softening2)}));
    inside.compute_accelerations();
    Vectors<float> computed;
    inside.copy_accelerations(computed);
    acceleration = check::in_precision<real>(computed);
  }
};

// The masses of the program for double are an array of float. Right in float, and for masses that
// have its digits.
class MassesInFloat : public Plain {
 public:
  explicit MassesInFloat(const Problem& problem) : Plain(problem) {
    for (real& mass : bodies.mass) mass = static_cast<real>(static_cast<float>(mass));
  }
};

// The step is remembered until update_bodies() moves the bodies: kick() and drift() do not say that
// they do.
class KeptStep : public Plain {
 public:
  using Plain::Plain;

  real largest_time_step() override {
    if (kept == 0) kept = Plain::largest_time_step();
    return kept;
  }
  void update_bodies(real dt) override {
    Plain::update_bodies(dt);
    kept = 0;
  }

 private:
  real kept = 0;
};

// With many bodies the adaptive step is found in every second step only, to save time.
class StaleFromASize : public Plain {
 public:
  using Plain::Plain;

  real largest_time_step() override {
    if (bodies.size() < 2000 || calls++ % 2 == 0) kept = Plain::largest_time_step();
    return kept;
  }

 private:
  real kept = 0;
  unsigned calls = 0;
};

// The sums are multiplied by G where they are kept, each time they are copied.
class CopiedOnce : public Plain {
 public:
  using Plain::Plain;

  void copy_accelerations(Vectors<real>& to) const override {
    Plain::copy_accelerations(to);
    for (auto* axis : {&to.x, &to.y, &to.z}) {
      for (real& a : *axis) a *= factor;
    }
    factor *= G;
  }

 private:
  mutable real factor = 1;
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

// The nearest number with the 11 bits of a half, whose range no scene leaves.
inline real rounded_to_half(real x) {
  int exponent = 0;
  const real digits = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(digits, 11)), exponent - 11);
}

// Positions and distances with the 11 bits of a half, as in half2: few bodies are right to three
// digits, neighbours among many to none.
class HalfDistances : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    const auto from_i_to_j = [&](const std::vector<real>& q) {
      return rounded_to_half(rounded_to_half(q[j]) - rounded_to_half(q[i]));
    };
    const Triple d{from_i_to_j(bodies.qx), from_i_to_j(bodies.qy), from_i_to_j(bodies.qz)};
    const real r2 = rounded_to_half(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
    if (!(r2 > 0)) return {};  // rounded, two bodies may be at one place
    const real inverse = inverse_distance(r2);
    return d * (inverse * inverse * inverse * G * bodies.mass[j]);
  }
};

}  // namespace nbody
