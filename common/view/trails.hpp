#pragma once

#include <deque>
#include <vector>

#include "view/gl.hpp"
#include "view/matrix.hpp"

namespace nbody::view {

// Trails: a fading line behind each body, or behind some hundred of them if there are many.
class Trails {
 public:
  Trails();

  void add(const std::vector<Point>& places, const std::vector<float>& values);
  void draw(const Matrix& matrix);
  void clear() { past_.clear(); }

 private:
  struct Place {
    Point at;
    float value;
  };
  void load();

  Program program_;
  Vertices vertices_;
  std::deque<std::vector<Place>> past_;  // the oldest first
  bool loaded_ = false;
};

}  // namespace nbody::view
