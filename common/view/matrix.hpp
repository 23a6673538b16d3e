#pragma once

#include <array>
#include <cmath>

namespace nbody::view {

struct Point {
  float x = 0, y = 0, z = 0;
};

inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator*(float s, Point a) { return {s * a.x, s * a.y, s * a.z}; }
inline float dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point cross(Point a, Point b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Point unit(Point a) { return 1 / std::sqrt(dot(a, a)) * a; }

// Column by column, as in OpenGL.
using Matrix = std::array<float, 16>;

inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t k = 0; k < 4; ++k) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return c;
}

}  // namespace nbody::view
