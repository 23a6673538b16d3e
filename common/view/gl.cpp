#include "view/gl.hpp"

#include <stb_image_write.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "bodies/text_file.hpp"

namespace nbody::view {
namespace {

GLuint compiled(GLenum kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good != 0) return shader;
  char said[1024] = "";
  glGetShaderInfoLog(shader, sizeof said, nullptr, said);
  throw std::runtime_error(std::string("this OpenGL driver refuses a shader: ") + said);
}

}  // namespace

Program::Program(const char* vertex, const char* fragment) : id_(glCreateProgram()) {
  for (const GLuint shader :
       {compiled(GL_VERTEX_SHADER, vertex), compiled(GL_FRAGMENT_SHADER, fragment)}) {
    glAttachShader(id_, shader);
    glDeleteShader(shader);  // released with the program
  }
  glLinkProgram(id_);
  GLint good = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &good);
  if (good == 0) throw std::runtime_error("this OpenGL driver cannot link a program");
}

Vertices::Vertices() {
  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &buffer_);
}

Vertices::~Vertices() {
  glDeleteBuffers(1, &buffer_);
  glDeleteVertexArrays(1, &array_);
}

void Vertices::attribute(GLuint location, int size, int floats, std::size_t offset) const {
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glVertexAttribPointer(location, size, GL_FLOAT, GL_FALSE,
                        static_cast<GLsizei>(floats * static_cast<int>(sizeof(float))),
                        reinterpret_cast<const void*>(offset * sizeof(float)));
  glEnableVertexAttribArray(location);
}

void Vertices::load(const float* data, std::size_t floats) const {
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(floats * sizeof(float)), data,
               GL_STREAM_DRAW);
}

Canvas::Canvas(int width, int height, GLenum format) : width(width), height(height) {
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, GL_RGBA, GL_FLOAT,
               nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw std::runtime_error(
        "this OpenGL driver cannot draw a picture of that size: choose a smaller --size");
  }
}

Canvas::~Canvas() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
}

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
