#include "view/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

namespace nbody::view {
namespace {

constexpr double usual_speed = 60;  // iterations/s: one per picture
constexpr float near_pixels = 25;
constexpr char escape = 27;

}  // namespace

Controls controls_of(const Look& look, const Camera& camera, const std::vector<double>& masses,
                     bool as_fast_as_it_can) {
  Controls controls;
  controls.look = look;
  controls.camera = controls.camera_at_start = camera;
  controls.wish.iterations_per_second = as_fast_as_it_can ? 0 : usual_speed;
  controls.wish.accelerations = look.colour == Look::Colour::acceleration;
  controls.by_mass.resize(masses.size());
  std::iota(controls.by_mass.begin(), controls.by_mass.end(), std::size_t{0});
  std::stable_sort(controls.by_mass.begin(), controls.by_mass.end(),
                   [&](std::size_t a, std::size_t b) { return masses[a] > masses[b]; });
  return controls;
}

void Controls::press(char key) {
  double& speed = wish.iterations_per_second;
  switch (std::tolower(key)) {
    case ' ':
      wish.paused = !wish.paused;
      break;
    case 's':
      wish.paused = true, ++wish.single_steps;
      break;
    case '+':
    case '=':
      speed = std::min(1e9, (speed == 0 ? usual_speed : speed) * 2);
      break;
    case '-':
      speed = std::max(0.25, (speed == 0 ? usual_speed : speed) / 2);
      break;
    case 'a':
      speed = speed == 0 ? usual_speed : 0;
      break;
    case 'c':
      wish.accelerations = look.colour == Look::Colour::speed;
      look.colour = wish.accelerations ? Look::Colour::acceleration : Look::Colour::speed;
      break;
    case 't':
      look.trails = !look.trails, forgets_trails = true;
      break;
    case 'g':
      look.glow = !look.glow;
      break;
    case 'h':
      look.text = !look.text;
      break;
    case 'f':
      follow_next();
      break;
    case 'r':
      camera = camera_at_start, followed.reset();
      break;
    case 'p':
      wants_picture = true;
      break;
    case 'q':
    case escape:
      wants_end = true;
      break;
    default:
      break;
  }
}

void Controls::follow_next() {
  const auto place =
      followed ? std::find(by_mass.begin(), by_mass.end(), *followed) : by_mass.end();
  const bool last = place == by_mass.end() || place + 1 == by_mass.end();
  followed = last ? by_mass.front() : *(place + 1);
}

void Controls::pick(const std::vector<Point>& places, double x, double y, int width, int height) {
  const Matrix matrix = camera.matrix(static_cast<float>(width) / static_cast<float>(height));
  float nearest = near_pixels;
  followed.reset();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Seen at = seen(matrix, places[i], width, height);
    const float away = std::hypot(at.x - static_cast<float>(x), at.y - static_cast<float>(y));
    if (at.depth <= 0 || !(away < nearest)) continue;
    nearest = away;
    followed = i;
  }
}

void Controls::follow(const std::vector<Point>& places) {
  if (followed && *followed < places.size()) camera.target = places[*followed];
}

std::string Controls::speed_text() const {
  if (wish.paused) return "paused";
  if (wish.iterations_per_second == 0) return "as fast as possible";
  return fmt::format("at most {:g} iterations/s", wish.iterations_per_second);
}

}  // namespace nbody::view
