#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// Something of an earlier request lives on: right in a program that has just started.

// A static buffer that grows, is added to, and never set to zero again.
class StaticSums : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    static Vectors<real> sums;
    const std::size_t n = bodies.size();
    if (sums.size() < n) sums.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Triple a = acceleration_of(i);
      sums.x[i] += a.x;
      sums.y[i] += a.y;
      sums.z[i] += a.z;
      set_acceleration(i, {sums.x[i], sums.y[i], sums.z[i]});
    }
  }
};

// The masses are copied into a static array when the number of bodies is another one.
class StaticMasses : public Plain {
 public:
  explicit StaticMasses(const Problem& problem) : Plain(problem) {
    static std::vector<real> masses;
    if (masses.size() != bodies.size()) masses = bodies.mass;
    bodies.mass = masses;
  }
};

// Sources in static arrays for whole batches of 8: after the last body are those of an earlier
// problem with more.
class StaticTail : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    static Bodies<real> sources;
    const std::size_t n = bodies.size(), padded = (n + 7) / 8 * 8;
    if (sources.size() < padded) sources.resize(padded);
    for (std::size_t j = 0; j < n; ++j) {
      sources.qx[j] = bodies.qx[j];
      sources.qy[j] = bodies.qy[j];
      sources.qz[j] = bodies.qz[j];
      sources.mass[j] = bodies.mass[j];
    }
    Plain::compute_accelerations();
    for (std::size_t i = 0; i < n; ++i) {
      Triple sum{acceleration.x[i], acceleration.y[i], acceleration.z[i]};
      for (std::size_t j = n; j < padded; ++j) {
        const Triple d{sources.qx[j] - bodies.qx[i], sources.qy[j] - bodies.qy[i],
                       sources.qz[j] - bodies.qz[i]};
        const real inverse = inverse_distance(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
        sum += d * inverse * (G * inverse * inverse * sources.mass[j]);
      }
      set_acceleration(i, sum);
    }
  }
};

// Memory that was never written is added to: a new program's is zero, later it is what was left
// there.
class ReadBeforeWritten : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const std::unique_ptr<real[]> sums(new real[n]);
    // The compiler must not know that nothing was written.
    real* volatile unknown = sums.get();
    real* const x = unknown;
    Plain::compute_accelerations();
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += acceleration.x[i];
      acceleration.x[i] = x[i];
    }
  }
};

}  // namespace nbody
