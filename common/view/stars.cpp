#include "view/stars.hpp"

#include <algorithm>
#include <cmath>

#include "view/reference_frame.hpp"
#include "view/shaders.hpp"

namespace nbody::view {
namespace {

constexpr std::size_t floats = 5;  // of a vertex: place, value, size

// Many bodies are small and faint, few are large: the total brightness is similar.
double share_of(std::size_t n, double power) {
  return std::clamp(std::pow(1000.0 / static_cast<double>(n), power), 0.1, 1.6);
}

}  // namespace

Stars::Stars() : program_(shaders::star_vertex, shaders::star_fragment) {
  vertices_.attribute(0, 4, floats, 0);
  vertices_.attribute(1, 1, floats, 4);
}

std::vector<float> Stars::sizes(const std::vector<double>& masses) {
  const double usual = quantile(masses, 0.5);
  const double size = 0.0095 * share_of(masses.size(), 0.3);
  std::vector<float> sizes(masses.size());
  std::transform(masses.begin(), masses.end(), sizes.begin(), [&](double mass) {
    return static_cast<float>(size * std::clamp(std::cbrt(mass / usual), 0.6, 3.5));
  });
  return sizes;
}

void Stars::load(const std::vector<Point>& places, const std::vector<float>& values,
                 const std::vector<float>& sizes) {
  number_ = places.size();
  std::vector<float> data(number_ * floats);
  float* next = data.data();
  for (std::size_t i = 0; i < number_; ++i, next += floats) {
    const Point& at = places[i];
    next[0] = at.x, next[1] = at.y, next[2] = at.z, next[3] = values[i], next[4] = sizes[i];
  }
  vertices_.load(data.data(), data.size());
}

void Stars::draw(const Matrix& matrix, float pixels, bool glow) const {
  program_.use();
  glUniformMatrix4fv(program_.uniform("matrix"), 1, GL_FALSE, matrix.data());
  glUniform1f(program_.uniform("pixels"), pixels);
  glUniform1f(program_.uniform("sprite"), glow ? 6.0F : 2.0F);
  const double light = std::min(1.0, share_of(number_, 0.4));
  glUniform1f(program_.uniform("light"), static_cast<float>(light));
  vertices_.bind();
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(number_));
}

}  // namespace nbody::view
