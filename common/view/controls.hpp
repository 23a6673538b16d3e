#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "view/camera.hpp"
#include "view/player.hpp"
#include "view/snapshot.hpp"

namespace nbody::view {

// The state that keys and mouse change; independent of window and OpenGL.
struct Controls {
  Look look;
  Camera camera, camera_at_start;
  Wish wish;
  std::optional<std::size_t> followed;  // a body
  std::vector<std::size_t> by_mass;     // bodies, the heaviest first
  bool wants_picture = false, wants_end = false, forgets_trails = false;

  void press(char key);
  // Follows the body nearest to a place in the window; none if none is near.
  void pick(const std::vector<Point>& places, double x, double y, int width, int height);
  // Once per picture.
  void follow(const std::vector<Point>& places);
  std::string speed_text() const;  // "60 iterations/s"

 private:
  void follow_next();
};

Controls controls_of(const Look& look, const Camera& camera, const std::vector<double>& masses,
                     bool as_fast_as_it_can);

}  // namespace nbody::view
