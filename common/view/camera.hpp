#pragma once

#include "view/matrix.hpp"

namespace nbody::view {

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
