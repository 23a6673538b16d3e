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

// Looks at a target from a distance, z upwards; angles in radians. Lengths are in units of the
// system's size (see reference_frame.hpp).
struct Camera {
  Point target = {};
  float yaw = 0.6F, tilt = 0.9F;  // tilt 0: edge-on to the plane; pi/2: from above
  float distance = 2.7F;

  void orbit(float yaw_by, float tilt_by);
  void zoom(float factor);           // > 1: nearer
  Matrix matrix(float shape) const;  // width over height of the panel
};

// Pixels of a length of 1 at a distance of 1.
float focal_pixels(int height);

// Position of a point in pixels from the upper left corner; `depth` <= 0 is behind the camera.
struct Seen {
  float x, y, depth;
};
Seen seen(const Matrix& matrix, Point point, int width, int height);

}  // namespace nbody::view
