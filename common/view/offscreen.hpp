#pragma once

#include <memory>

#include "view/gl.hpp"

namespace nbody::view {

// A context of OpenGL 3.3 that needs no display, and a framebuffer in memory. Throws
// std::runtime_error if there is none.
class Offscreen {
 public:
  Offscreen(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  GLuint framebuffer() const { return canvas_->framebuffer(); }
  Picture picture() const { return picture_of(framebuffer(), canvas_->width, canvas_->height); }

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
  std::unique_ptr<Canvas> canvas_;
};

}  // namespace nbody::view
