#pragma once

#include <filesystem>
#include <vector>

#include "view/gl.hpp"

namespace nbody::view {

// Red, green, blue of each pixel, the upper row first.
struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;
};

// What was drawn into a framebuffer.
Picture picture_of(GLuint framebuffer, int width, int height);

// All or nothing. Throws InputError when it cannot be written.
void write_png(const std::filesystem::path& file, const Picture& picture);

}  // namespace nbody::view
