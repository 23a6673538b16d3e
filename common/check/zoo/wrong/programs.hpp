#pragma once

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// What no row of the table of mistakes can express.

// --- something of an earlier request lives on: right in a program that has just started ---

// A static buffer that grows, is added to, and never set to zero again.
class StaticSums : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    static std::vector<Triple> sums;
    if (sums.size() < bodies.size()) sums.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      sums[i] += acceleration_of(i);
      set_acceleration(i, sums[i]);
    }
  }
};

// Memory that was never written is added to: a new program's is zero, later it is what was left
// there.
class ReadBeforeWritten : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    const std::unique_ptr<real[]> sums(new real[bodies.size()]);
    real* volatile unknown = sums.get();  // the compiler must not know that nothing was written
    real* const x = unknown;
    Plain::compute_accelerations();
    for (std::size_t i = 0; i < bodies.size(); ++i) acceleration.x[i] = x[i] += acceleration.x[i];
  }
};

// --- bodies that are at special places ---

// "Not itself" is asked of x and y only.
class SameXAndY : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    const Triple d = offset(i, j);
    return d.x == 0 && d.y == 0 ? Triple{} : Plain::pull(i, j);
  }
};

// --- threads: right on one ---

// Third law with threads that all add to the same accelerations: updates are lost, different ones
// in each run.
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

// Each thread keeps its smallest step in one of eight slots: with more threads, those of some are
// written over.
class EightSlots : public Plain {
 public:
  using Plain::Plain;

  real largest_time_step() override {
    std::array<real, 8> slots;
    slots.fill(std::numeric_limits<real>::infinity());
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    for (std::size_t k = 0; k < threads; ++k) {
      real& mine = slots[k % slots.size()] = std::numeric_limits<real>::infinity();
      for (std::size_t i = k; i < bodies.size(); i += threads)
        mine = std::min(mine, time_step_of(i));
    }
    return *std::min_element(slots.begin(), slots.end());
  }
};

// --- wrong numbers ---

// Positions and distances with the 11 bits of a half, as in half2: few bodies are right to three
// digits, neighbours among many to none.
class HalfDistances : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    const auto half = [](real x) {  // no scene leaves its range
      int exponent = 0;
      const real digits = std::frexp(x, &exponent);
      return std::ldexp(std::nearbyint(std::ldexp(digits, 11)), exponent - 11);
    };
    const auto along = [&](const std::vector<real>& q) { return half(half(q[j]) - half(q[i])); };
    const Triple d{along(bodies.qx), along(bodies.qy), along(bodies.qz)};
    const real r2 = half(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
    if (!(r2 > 0)) return {};  // rounded, two bodies may be at one place
    const real inverse = inverse_distance(r2);
    return d * (inverse * inverse * inverse * G * bodies.mass[j]);
  }
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

// An array with room for a few bodies less than the most that are usually asked.
class ShortArray : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    return j < 16495 ? Plain::pull(i, j) : Triple{};
  }
};

// --- no answer, or no end ---

// The program dies of a signal, as after a write out of bounds.
class Crash : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { std::abort(); }
};

// As a kernel whose tile has room for 256 bodies: the program starts with wider blocks, too, and
// dies of its first request.
class DiesWithWideBlocks : public Plain {
 public:
  static constexpr std::array block_sizes = {256u, 16u, 64u, 128u, 512u, 1024u};

  explicit DiesWithWideBlocks(const Problem& problem)
      : Plain(problem), block(problem.tuning.block) {}

  void compute_accelerations() override {
    if (block > 256) std::abort();
    Plain::compute_accelerations();
  }

 private:
  unsigned block;
};

// An exception leaves the simulator.
class Throws : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { throw std::out_of_range("index 8 of 7"); }
};

// The program never answers, as in a deadlock or a loop whose counter is too small for n.
class Hang : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
};

// A static object waits in its destructor: each answer is right, but the program never ends.
class NeverEnds : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    struct Waits {
      ~Waits() {
        while (true) ::pause();
      }
    };
    static const Waits waits;
    Plain::compute_accelerations();
  }
};

// Leaks an array with each simulator.
class Leaks : public Plain {
 public:
  explicit Leaks(const Problem& problem) : Plain(problem), own_(new auto(bodies.mass)) {}

  void compute_accelerations() override {
    bodies.mass = *own_;
    Plain::compute_accelerations();
  }

 private:
  std::vector<real>* own_;
};

}  // namespace nbody
