#include "view/camera.hpp"

#include <algorithm>

namespace nbody::view {
namespace {

constexpr float focal = 2.4F;  // half the height of the picture spans 1 / focal

}  // namespace

void Camera::orbit(float yaw_by, float tilt_by) {
  constexpr float steepest = 1.55F;  // "up" is undefined when looking straight down
  yaw += yaw_by;
  tilt = std::clamp(tilt + tilt_by, -steepest, steepest);
}

void Camera::zoom(float factor) { distance = std::clamp(distance / factor, 1e-4F, 1e4F); }

Matrix Camera::matrix(float shape) const {
  const Point back = {std::cos(tilt) * std::cos(yaw), std::cos(tilt) * std::sin(yaw),
                      std::sin(tilt)};
  const Point right = unit(cross({0, 0, 1}, back));
  const Point up = cross(back, right);
  const Point eye = target + distance * back;
  const Matrix turn = {
      right.x, up.x, back.x, 0, right.y,          up.y,          back.y,          0,
      right.z, up.z, back.z, 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1};
  const float near = distance / 100;
  const float far = distance * 1000;
  const float narrow = std::min(1.0F, shape);  // a tall panel keeps the width
  const float depth = near - far;
  const Matrix lens = {focal * narrow / shape,
                       0,
                       0,
                       0,
                       0,
                       focal * narrow,
                       0,
                       0,
                       0,
                       0,
                       (near + far) / depth,
                       -1,
                       0,
                       0,
                       2 * near * far / depth,
                       0};
  return product(lens, turn);
}

float focal_pixels(int height) { return focal * static_cast<float>(height) / 2; }

Seen seen(const Matrix& m, Point p, int width, int height) {
  const float x = m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12];
  const float y = m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13];
  const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
  return {(x / w + 1) / 2 * static_cast<float>(width), (1 - y / w) / 2 * static_cast<float>(height),
          w};
}

}  // namespace nbody::view
