#pragma once

#include <epoxy/gl.h>

#include <cstddef>
#include <filesystem>
#include <vector>

// Names of OpenGL objects, each owned by one C++ object, and what was drawn with them. A context
// must be current.
namespace nbody::view {

// A vertex and a fragment shader. Throws std::runtime_error with what the driver said.
class Program {
 public:
  Program(const char* vertex, const char* fragment);
  ~Program() { glDeleteProgram(id_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void use() const { glUseProgram(id_); }
  GLint uniform(const char* name) const { return glGetUniformLocation(id_, name); }

 private:
  GLuint id_;
};

// Vertices of `floats` numbers each in one buffer, split into attributes of the shader.
class Vertices {
 public:
  Vertices();
  ~Vertices();
  Vertices(const Vertices&) = delete;
  Vertices& operator=(const Vertices&) = delete;

  void attribute(GLuint location, int size, int floats, std::size_t offset) const;
  void load(const float* data, std::size_t floats) const;
  void bind() const { glBindVertexArray(array_); }

 private:
  GLuint array_ = 0, buffer_ = 0;
};

// A texture to draw into, which shaders can read.
class Canvas {
 public:
  Canvas(int width, int height, GLenum format);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  GLuint framebuffer() const { return framebuffer_; }
  GLuint texture() const { return texture_; }
  const int width, height;

 private:
  GLuint framebuffer_ = 0, texture_ = 0;
};

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
