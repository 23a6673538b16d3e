#include "view/gl.hpp"

#include <stdexcept>
#include <string>

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

}  // namespace nbody::view
