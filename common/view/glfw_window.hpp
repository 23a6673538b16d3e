#pragma once

#include <string>
#include <utility>

#include "view/controls.hpp"

struct GLFWwindow;

namespace nbody::view {

// A window with a context of OpenGL 3.3, whose keys and mouse move the controls. Throws InputError
// without a display. If the display goes away, the process ends with one line and status 2.
class GlfwWindow {
 public:
  GlfwWindow(int width, int height, const std::string& title, Controls& controls);
  ~GlfwWindow();
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  bool is_closed() const;
  std::pair<int, int> size() const;  // pixels
  void swap();                       // shows what was drawn, and handles keys and mouse
  void hide();
  // A click without a drag, in pixels; the caller picks a body.
  bool take_click(double& x, double& y);

 private:
  void listen();
  void move_to(double x, double y);
  void note_button(bool down);

  GLFWwindow* window_;
  Controls& controls_;
  double x_ = 0, y_ = 0, dragged_ = 0;
  bool down_ = false, clicked_ = false;
};

}  // namespace nbody::view
