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

// Tiles of 1000 bodies: the last one has n % 1000, so none if it is full.
class TilesOfThousand : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    const std::size_t n = bodies.size();
    return n % 1000 == 0 && j + 1000 >= n ? Triple{} : Plain::pull(i, j);
  }
};

// Three samples tell whether all masses are equal: the heavy ones between them are lost.
class EqualBySamples : public Plain {
 public:
  explicit EqualBySamples(const Problem& problem) : Plain(problem) {
    const auto& mass = bodies.mass;
    const bool equal = mass.front() == mass[mass.size() / 2] && mass.front() == mass.back();
    if (equal) bodies.mass.assign(mass.size(), mass.front());
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
