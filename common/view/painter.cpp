#include "view/painter.hpp"

#include "view/shaders.hpp"

namespace nbody::view {

Painter::Painter(const Bodies<double>& bodies, std::size_t panels)
    : frame_(frame_of(bodies)),
      sizes_(Stars::sizes(bodies.mass)),
      develop_(shaders::whole_vertex, shaders::develop_fragment) {
  for (std::size_t k = 0; k < panels; ++k) panels_.push_back(std::make_unique<Panel>());
  glEnable(GL_PROGRAM_POINT_SIZE);
  glEnable(GL_BLEND);
}

void Painter::show(std::size_t number, const Shown& shown, const Look& look) {
  Panel& panel = *panels_[number];
  if (shown == panel.shown && look.colour == panel.colour) return;
  const auto values = panel.palette.values(*shown, look.colour);
  panel.places.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    panel.places[i] = frame_.point(shown->position, i);
  }
  panel.stars.load(panel.places, values, sizes_);
  if (shown != panel.shown) panel.trails.add(panel.places, values);
  panel.shown = shown;
  panel.colour = look.colour;
}

void Painter::forget_trails() {
  for (const auto& panel : panels_) panel->trails.clear();
}

void Painter::draw_panel(Panel& panel, const Camera& camera, const Look& look, int width,
                         int height) {
  const float shape = static_cast<float>(width) / static_cast<float>(height);
  const Matrix matrix = camera.matrix(shape);
  glBlendFunc(GL_ONE, GL_ONE);
  if (look.trails) panel.trails.draw(matrix);
  panel.stars.draw(matrix, focal_pixels(height), look.glow);
}

void Painter::develop(GLuint framebuffer) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, film_->width, film_->height);
  glBlendFunc(GL_ONE, GL_ZERO);
  develop_.use();
  glUniform1f(develop_.uniform("panels"), static_cast<float>(panels_.size()));
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, film_->texture());
  nothing_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Painter::draw(GLuint framebuffer, int width, int height, const Camera& camera,
                   const Look& look, const std::vector<std::vector<std::string>>& lines,
                   const std::vector<std::string>& below) {
  if (!film_ || film_->width != width || film_->height != height) {
    film_ = std::make_unique<Canvas>(width, height, GL_RGBA16F);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, film_->framebuffer());
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  const int each = width / static_cast<int>(panels_.size());
  for (std::size_t k = 0; k < panels_.size(); ++k) {
    const int left = each * static_cast<int>(k);
    glViewport(left, 0, each, height);
    glEnable(GL_SCISSOR_TEST);  // so that a glow does not reach into the other panel
    glScissor(left, 0, each, height);
    if (panels_[k]->shown) draw_panel(*panels_[k], camera, look, each, height);
  }
  glDisable(GL_SCISSOR_TEST);
  develop(framebuffer);
  if (!look.text) return;
  const float step = Text::line_height(height);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto left = static_cast<float>(each) * static_cast<float>(k);
    text_.draw(lines[k], left + step, step / 2, width, height, 0.95F);
  }
  const float top = static_cast<float>(height) - step * (static_cast<float>(below.size()) + 0.8F);
  text_.draw(below, step, top, width, height, 0.55F);
}

}  // namespace nbody::view
