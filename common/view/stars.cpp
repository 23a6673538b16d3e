#include "view/stars.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "view/reference_frame.hpp"
#include "view/shaders.hpp"

namespace nbody::view {
namespace {

constexpr std::size_t floats = 5;  // of a vertex: place, value, and size or age

// Of the trails.
constexpr std::size_t most_bodies = 1500;
constexpr std::size_t most_vertices = 120000;
constexpr std::size_t longest = 400;  // states

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

Trails::Trails() : program_(shaders::trail_vertex, shaders::trail_fragment) {
  vertices_.attribute(0, 4, floats, 0);
  vertices_.attribute(1, 1, floats, 4);
}

void Trails::add(const std::vector<Point>& places, const std::vector<float>& values) {
  const std::size_t stride = (places.size() + most_bodies - 1) / most_bodies;
  std::vector<Place> now;
  for (std::size_t i = 0; i < places.size(); i += stride) now.push_back({places[i], values[i]});
  const std::size_t states = std::min(longest, most_vertices / now.size());
  past_.push_back(std::move(now));
  while (past_.size() > states) past_.pop_front();
  loaded_ = false;
}

// A strip for each body.
void Trails::load() {
  std::vector<float> data;
  data.reserve(past_.size() * past_.front().size() * floats);
  for (std::size_t body = 0; body < past_.front().size(); ++body) {
    for (std::size_t k = 0; k < past_.size(); ++k) {
      const Place& place = past_[k][body];
      const float age = static_cast<float>(k + 1) / static_cast<float>(past_.size());
      data.insert(data.end(), {place.at.x, place.at.y, place.at.z, place.value, age});
    }
  }
  vertices_.load(data.data(), data.size());
  loaded_ = true;
}

void Trails::draw(const Matrix& matrix) {
  if (past_.size() < 2) return;
  if (!loaded_) load();
  const std::size_t bodies = past_.front().size();
  program_.use();
  glUniformMatrix4fv(program_.uniform("matrix"), 1, GL_FALSE, matrix.data());
  const double light = std::clamp(5.0 / std::sqrt(static_cast<double>(bodies)), 0.05, 0.7);
  glUniform1f(program_.uniform("light"), static_cast<float>(light));
  const auto length = static_cast<GLsizei>(past_.size());
  std::vector<GLint> first(bodies);
  for (std::size_t i = 0; i < bodies; ++i) first[i] = static_cast<GLint>(i) * length;
  const std::vector<GLsizei> lengths(bodies, length);
  vertices_.bind();
  glMultiDrawArrays(GL_LINE_STRIP, first.data(), lengths.data(), static_cast<GLsizei>(bodies));
}

}  // namespace nbody::view
