#pragma once

#include <string>
#include <vector>

#include "view/gl.hpp"

namespace nbody::view {

// Lines of text in DejaVu Sans Mono, sized for the picture.
class Text {
 public:
  Text();
  ~Text();
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  // Draws into the bound framebuffer of `width` by `height` pixels; x and y: upper left corner of
  // the first line.
  void draw(const std::vector<std::string>& lines, float x, float y, int width, int height,
            float strength);
  static float line_height(int height);  // letter height for a picture of this height, pixels

 private:
  void bake(float pixels);
  void add(const std::string& line, float x, float y);

  Program program_;
  Vertices vertices_;
  std::string font_;  // the file
  GLuint texture_ = 0;
  float pixels_ = 0;  // of the letters in the texture
  struct Baked;
  std::vector<Baked> letters_;
  std::vector<float> corners_;
};

}  // namespace nbody::view
