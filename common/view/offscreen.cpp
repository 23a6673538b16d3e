#include "view/offscreen.hpp"

#include <epoxy/egl.h>

#include <stdexcept>

namespace nbody::view {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string("cannot draw without a display (") + what +
                           "): ./lab setup --view brings what is missing");
}

EGLDisplay begin() {
  if (!epoxy_has_egl()) fail("no EGL");
  if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) fail("no Mesa");
  const EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) fail("no driver");
  return display;
}

EGLContext context_of(EGLDisplay display) {
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                           3,
                           EGL_CONTEXT_MINOR_VERSION,
                           3,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_NONE};
  eglBindAPI(EGL_OPENGL_API);
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
  if (context == EGL_NO_CONTEXT ||
      !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    fail("no OpenGL 3.3");
  }
  return context;
}

}  // namespace

Offscreen::Offscreen(int width, int height)
    : display_(begin()),
      context_(context_of(display_)),
      canvas_(std::make_unique<Canvas>(width, height, GL_RGBA8)) {}

Offscreen::~Offscreen() {
  canvas_.reset();
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

}  // namespace nbody::view
