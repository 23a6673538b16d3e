#pragma once

#include <memory>
#include <string>
#include <vector>

#include "view/camera.hpp"
#include "view/reference_frame.hpp"
#include "view/snapshot.hpp"
#include "view/stars.hpp"
#include "view/text.hpp"

namespace nbody::view {

// Draws one or two simulations of the same bodies, side by side, into a framebuffer: a window's or
// one in memory. A context of OpenGL 3.3 must be current during its lifetime.
class Painter {
 public:
  Painter(const Bodies<double>& bodies, std::size_t panels);

  void show(std::size_t panel, const Shown& shown, const Look& look);
  // Lines for each panel, and some for the lower edge.
  void draw(GLuint framebuffer, int width, int height, const Camera& camera, const Look& look,
            const std::vector<std::vector<std::string>>& lines,
            const std::vector<std::string>& below);
  void forget_trails();

  const ReferenceFrame& frame() const { return frame_; }
  // Of the first panel, in lengths of the picture.
  const std::vector<Point>& places() const { return panels_.front()->places; }

 private:
  struct Panel {
    Shown shown;
    Look::Colour colour = Look::Colour::speed;
    std::vector<Point> places;
    Palette palette;
    Stars stars;
    Trails trails;
  };
  void draw_panel(Panel& panel, const Camera& camera, const Look& look, int width, int height);
  void develop(GLuint framebuffer) const;

  const ReferenceFrame frame_;
  const std::vector<float> sizes_;
  std::vector<std::unique_ptr<Panel>> panels_;
  std::unique_ptr<Canvas> film_;
  Program develop_;
  Vertices nothing_;
  Text text_;
};

}  // namespace nbody::view
