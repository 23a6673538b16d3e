#include "view/glfw_window.hpp"

#include <epoxy/gl.h>
// It uses epoxy's declarations.
#include <dlfcn.h>
#include <fmt/format.h>
#include <GLFW/glfw3.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "bodies/input_error.hpp"

namespace nbody::view {
namespace {

constexpr char escape = 27;

// Xlib would print its own lines, and exit with status 1.
[[noreturn]] void leave_without_display() {
  constexpr char said[] = "view: the display is gone\n";
  if (::write(STDERR_FILENO, said, sizeof said - 1) < 0) {
  }
  ::_exit(2);
}

int connection_lost(void*) { leave_without_display(); }
int window_lost(void*, void*) { leave_without_display(); }

// By name, since GLFW may use Wayland, without Xlib.
template <typename Handler>
void set_handler(const char* setter, Handler handler) {
  using Set = Handler (*)(Handler);
  if (const auto set = reinterpret_cast<Set>(::dlsym(RTLD_DEFAULT, setter))) set(handler);
}

void heed_lost_display() {
  set_handler("XSetIOErrorHandler", connection_lost);
  set_handler("XSetErrorHandler", window_lost);
}

std::string reason() {
  const char* said = nullptr;
  glfwGetError(&said);
  return said != nullptr ? said : "GLFW does not say why";
}

GlfwWindow& of(GLFWwindow* window) {
  return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
}

GLFWwindow* opened(int width, int height, const std::string& title) {
  if (glfwInit() != GLFW_TRUE) {
    throw InputError(
        fmt::format("no window can be opened here ({}): ./lab record needs none", reason()));
  }
  heed_lost_display();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (window != nullptr) return window;
  const std::string why = reason();
  glfwTerminate();
  throw InputError(
      fmt::format("no window with OpenGL 3.3 here ({}): ./lab record needs none", why));
}

}  // namespace

GlfwWindow::GlfwWindow(int width, int height, const std::string& title, Controls& controls)
    : window_(opened(width, height, title)), controls_(controls) {
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  listen();
}

GlfwWindow::~GlfwWindow() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

// Letters as typed, for any keyboard layout.
void GlfwWindow::listen() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned letter) {
    if (letter < 128) of(window).controls_.press(static_cast<char>(letter));
  });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int) {
    if (key == GLFW_KEY_ESCAPE && action == GLFW_PRESS) of(window).controls_.press(escape);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double up) {
    of(window).controls_.camera.zoom(static_cast<float>(std::pow(1.15, up)));
  });
  glfwSetCursorPosCallback(
      window_, [](GLFWwindow* window, double x, double y) { of(window).move_to(x, y); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int, int action, int) {
    of(window).note_button(action == GLFW_PRESS);
  });
}

void GlfwWindow::move_to(double x, double y) {
  const double right = x - x_, down = y - y_;
  x_ = x, y_ = y;
  if (!down_) return;
  dragged_ += std::abs(right) + std::abs(down);
  controls_.camera.orbit(static_cast<float>(-right / 200), static_cast<float>(down / 200));
}

void GlfwWindow::note_button(bool down) {
  down_ = down;
  if (down) {
    dragged_ = 0;
  } else {
    clicked_ = dragged_ < 4;
  }
}

bool GlfwWindow::take_click(double& x, double& y) {
  int screen_width = 1, screen_height = 1;
  glfwGetWindowSize(window_, &screen_width, &screen_height);
  const auto [width, height] = size();
  x = x_ * width / std::max(1, screen_width);
  y = y_ * height / std::max(1, screen_height);
  return std::exchange(clicked_, false);
}

bool GlfwWindow::is_closed() const { return glfwWindowShouldClose(window_) != 0; }

std::pair<int, int> GlfwWindow::size() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return {std::max(1, width), std::max(1, height)};
}

void GlfwWindow::swap() {
  glfwSwapBuffers(window_);
  glfwPollEvents();
}

void GlfwWindow::hide() { glfwHideWindow(window_); }

}  // namespace nbody::view
