#include "view/text.hpp"

#include <stb_truetype.h>

#include <algorithm>
#include <cmath>

#include "bodies/text_file.hpp"
#include "view/shaders.hpp"

namespace nbody::view {
namespace {

constexpr int first_letter = 32, letters = 95, side = 512;

}  // namespace

struct Text::Baked : stbtt_bakedchar {};

Text::Text()
    : program_(shaders::text_vertex, shaders::text_fragment), font_(read_text_file(FONT_FILE)) {
  glGenTextures(1, &texture_);
  vertices_.attribute(0, 4, 4, 0);
}

Text::~Text() { glDeleteTextures(1, &texture_); }

float Text::line_height(int height) {
  return std::round(1.3F * std::clamp(static_cast<float>(height) / 42, 12.0F, 40.0F));
}

void Text::bake(float pixels) {
  if (pixels == pixels_) return;
  pixels_ = pixels;
  std::vector<unsigned char> picture(side * side);
  letters_.resize(letters);
  stbtt_BakeFontBitmap(reinterpret_cast<const unsigned char*>(font_.data()), 0, pixels,
                       picture.data(), side, side, first_letter, letters, letters_.data());
  glBindTexture(GL_TEXTURE_2D, texture_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, side, side, 0, GL_RED, GL_UNSIGNED_BYTE, picture.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

void Text::add(const std::string& line, float x, float y) {
  for (const char letter : line) {
    const int place = letter - first_letter;
    if (place < 0 || place >= letters) continue;
    stbtt_aligned_quad q;
    stbtt_GetBakedQuad(letters_.data(), side, side, place, &x, &y, &q, 1);
    corners_.insert(corners_.end(),
                    {q.x0, q.y0, q.s0, q.t0, q.x1, q.y0, q.s1, q.t0, q.x1, q.y1, q.s1, q.t1,
                     q.x0, q.y0, q.s0, q.t0, q.x1, q.y1, q.s1, q.t1, q.x0, q.y1, q.s0, q.t1});
  }
}

void Text::draw(const std::vector<std::string>& lines, float x, float y, int width, int height,
                float strength) {
  const float step = line_height(height);
  bake(step / 1.3F);
  corners_.clear();
  for (const std::string& line : lines) add(line, x, y += step);
  vertices_.load(corners_.data(), corners_.size());
  program_.use();
  glUniform2f(program_.uniform("screen"), static_cast<float>(width), static_cast<float>(height));
  glUniform4f(program_.uniform("ink"), 0.80F, 0.85F, 0.94F, strength);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  vertices_.bind();
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners_.size() / 4));
}

}  // namespace nbody::view
