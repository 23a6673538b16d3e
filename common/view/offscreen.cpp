#include "view/offscreen.hpp"

#include <epoxy/egl.h>

#include <stdexcept>
#include <vector>

namespace nbody::view {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string("cannot draw without a display (") + what +
                           "): ./lab setup --view installs what is missing");
}

using FailedAt = const char*;  // nullptr: not found

// GPUs first, each by its own driver; then Mesa, which can draw on the CPU.
std::vector<EGLDisplay> displays() {
  std::vector<EGLDisplay> found;
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
    EGLint count = 0;
    eglQueryDevicesEXT(0, nullptr, &count);
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
    eglQueryDevicesEXT(count, devices.data(), &count);
    for (const EGLDeviceEXT device : devices) {
      found.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
    }
  }
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    found.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
  }
  return found;
}

FailedAt make_current(EGLDisplay display, EGLContext& context) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return "no driver";
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                           3,
                           EGL_CONTEXT_MINOR_VERSION,
                           3,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_NONE};
  eglBindAPI(EGL_OPENGL_API);
  context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
  if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return nullptr;
  eglTerminate(display);
  return "no OpenGL 3.3";
}

}  // namespace

Offscreen::Offscreen(int width, int height) {
  if (!epoxy_has_egl()) fail("no EGL");
  FailedAt why = "no driver";
  for (EGLDisplay display : displays()) {
    display_ = display;
    why = make_current(display_, context_);
    if (!why) break;
  }
  if (why) fail(why);
  canvas_ = std::make_unique<Canvas>(width, height, GL_RGBA8);
}

Offscreen::~Offscreen() {
  canvas_.reset();
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

}  // namespace nbody::view
