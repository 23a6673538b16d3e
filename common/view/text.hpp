#pragma once

#include <string>
#include <vector>

#include "view/gl.hpp"

namespace nbody::view {

// Lines of text in DejaVu Sans Mono, of letters as high as the picture wants them.
class Text {
 public:
  Text();
  ~Text();
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  // Into what is bound, `width` by `height` pixels; x and y of the first line's upper left corner.
  void draw(const std::vector<std::string>& lines, float x, float y, int width, int height,
            float strength);
  static float line_height(int height);  // of a picture this high, pixels

 private:
  void bake(float pixels);
  void add(const std::string& line, float x, float y);

  Program program_;
  Vertices vertices_;
  std::string font_;  // the file
  GLuint texture_ = 0;
  float pixels_ = 0;  // of the letters that are baked
  struct Baked;
  std::vector<Baked> letters_;
  std::vector<float> corners_;
};

}  // namespace nbody::view
