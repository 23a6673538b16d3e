#pragma once

#include <deque>
#include <vector>

#include "view/camera.hpp"
#include "view/gl.hpp"

namespace nbody::view {

// The bodies as points of light: sized by mass, coloured by a value from 0 to 1.
class Stars {
 public:
  Stars();

  // Constant while these bodies are drawn. Lengths of the picture; see reference_frame.hpp.
  static std::vector<float> sizes(const std::vector<double>& masses);
  void load(const std::vector<Point>& places, const std::vector<float>& values,
            const std::vector<float>& sizes);
  void draw(const Matrix& matrix, float pixels, bool glow) const;

 private:
  Program program_;
  Vertices vertices_;
  std::size_t number_ = 0;
};

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
