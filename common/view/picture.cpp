#include "view/picture.hpp"

#include <stb_image_write.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "bodies/text_file.hpp"

namespace nbody::view {

Picture picture_of(GLuint framebuffer, int width, int height) {
  Picture picture{width, height, {}};
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  picture.rgb.resize(row * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
  for (int y = 0; y < height / 2; ++y) {  // OpenGL's first row is the lowest
    const auto line = [&](int of) {
      return picture.rgb.begin() + of * static_cast<std::ptrdiff_t>(row);
    };
    std::swap_ranges(line(y), line(y + 1), line(height - 1 - y));
  }
  return picture;
}

void write_png(const std::filesystem::path& file, const Picture& picture) {
  std::string bytes;
  const auto add = [](void* into, void* data, int size) {
    static_cast<std::string*>(into)->append(static_cast<const char*>(data),
                                            static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(add, &bytes, picture.width, picture.height, 3, picture.rgb.data(),
                         3 * picture.width);
  write_text_file(file, bytes);
}

}  // namespace nbody::view
