#pragma once

#include <cmath>
#include <cstdint>

namespace nbody {

// Random numbers that are the same on every platform; the distributions of the standard library are
// not. The generator is SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // In [0, 1): a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

 private:
  std::uint64_t state_;
};

// A random point on the unit circle (z = 0) or the unit sphere.
struct Direction {
  double x, y, z;
};

// Rejection instead of sine and cosine, whose last bit differs between libraries.
inline Direction random_direction(Random& random, bool in_plane) {
  for (;;) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const double z = in_plane ? 0 : random.uniform(-1, 1);
    const double r2 = x * x + y * y + z * z;
    // Too close to the origin, a direction would have few bits.
    if (r2 > 1 || r2 < 1e-6) continue;
    const double r = std::sqrt(r2);
    return {x / r, y / r, z / r};
  }
}

// Of x > 0. The standard library's cbrt may differ in its last bit from platform to platform.
inline double cube_root(double x) {
  int exponent = 0;
  double rest = std::frexp(x, &exponent);
  while (exponent % 3 != 0) {
    rest /= 2;
    ++exponent;
  }
  // rest is in [1/8, 1): Newton's method doubles the right digits in each step.
  double root = 0.75;
  for (int step = 0; step < 8; ++step) root = (2 * root + rest / (root * root)) / 3;
  return std::ldexp(root, exponent / 3);
}

}  // namespace nbody
