#pragma once

#include <vector>

#include "view/gl.hpp"
#include "view/matrix.hpp"

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

}  // namespace nbody::view
