#include "view/window.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

#include "bodies/input_error.hpp"
#include "simulator/run_report.hpp"
#include "view/controls.hpp"
#include "view/gl.hpp"
#include "view/glfw_window.hpp"
#include "view/hud.hpp"
#include "view/painter.hpp"
#include "view/player.hpp"

namespace nbody::view {
namespace {

using Lines = std::vector<std::vector<std::string>>;

class Show {
 public:
  Show(const Cast& cast, const ViewOptions& options)
      : cast_(cast),
        options_(options),
        controls_(controls_of(options.look, options.camera, cast.scene.bodies.mass,
                              cast.players.size() > 1)),
        window_(options.width, options.height, "N-body: " + cast.players.front().title, controls_),
        painter_(cast.scene.bodies, cast.players.size()) {
    for (const auto& one : cast.players) {
      players_.push_back(std::make_unique<Player>([&cast, &one] {
        return std::make_unique<Simulated>(one.program, cast.scene, cast.options,
                                           Simulated::Energy::when_cheap);
      }));
    }
  }

  int go() {
    while (!controls_.wants_end && !window_.is_closed()) {
      press_next_key();
      for (const auto& player : players_) player->want(controls_.wish);
      draw();
      tell_when_finished();
    }
    return end();
  }

 private:
  // The keys of --keys, one per picture once there is something to see.
  void press_next_key() {
    if (shown() && next_key_ < options_.keys.size()) controls_.press(options_.keys[next_key_++]);
  }

  // Once: a person at the terminal does not know that the window waits.
  void tell_when_finished() {
    for (const auto& player : players_) {
      const Shown latest = player->latest();
      if (has_told_ || !latest || !latest->finished) return;
    }
    has_told_ = true;
    fmt::print(stderr, "view: all {} iterations are done; Esc closes the window\n",
               players_.front()->latest()->iteration);
  }

  bool shown() const {
    for (const auto& player : players_) {
      if (!player->latest()) return false;
    }
    return true;
  }

  void draw() {
    Lines lines;
    for (std::size_t k = 0; k < players_.size(); ++k) {
      if (const std::string fault = players_[k]->fault(); !fault.empty()) {
        throw InputError(fmt::format("{}: {}", cast_.players[k].title, fault));
      }
      const Shown latest = players_[k]->latest();
      if (latest) painter_.show(k, latest, controls_.look);
      lines.push_back(lines_of(k, latest));
    }
    if (std::exchange(controls_.forgets_trails, false)) painter_.forget_trails();
    const auto [width, height] = window_.size();
    pick_clicked(width / static_cast<int>(players_.size()), height);
    controls_.follow(painter_.places());
    painter_.draw(0, width, height, controls_.camera, controls_.look, lines, key_lines());
    if (std::exchange(controls_.wants_picture, false)) keep_picture(width, height);
    window_.swap();
  }

  void pick_clicked(int width, int height) {
    double x = 0, y = 0;
    if (!window_.take_click(x, y)) return;
    controls_.pick(painter_.places(), std::fmod(x, width), y, width, height);
  }

  std::vector<std::string> lines_of(std::size_t k, const Shown& latest) const {
    if (!latest) return {cast_.players[k].title, "starting"};
    auto lines = hud_lines(cast_.players[k].title, *latest, cast_.scene, true);
    if (k > 0) return lines;
    lines.push_back(latest->finished ? "finished: Esc closes" : controls_.speed_text());
    if (controls_.followed) lines.push_back("following " + name_of_body(*controls_.followed));
    return lines;
  }

  std::string name_of_body(std::size_t body) const {
    const auto found = cast_.scene.names.find(body);
    return found == cast_.scene.names.end() ? fmt::format("body {}", body) : found->second;
  }

  void keep_picture(int width, int height) {
    const Shown latest = players_.front()->latest();
    const std::string file = fmt::format("view.{}.png", latest ? latest->iteration : 0);
    write_png(file, picture_of(0, width, height));
    fmt::print(stderr, "view: {} is written\n", file);
  }

  // A step of many bodies may take minutes. Programs die with the thread that started them.
  int end() {
    bool finite = true;
    for (const auto& player : players_) {
      const Shown latest = player->latest();
      finite = finite && (!latest || latest->finite);
    }
    if (!finite) fmt::print(stderr, "view: {}\n", no_longer_finite);
    const int status = finite ? 0 : 1;
    window_.hide();
    for (const auto& player : players_) {
      if (!player->ends_within(std::chrono::milliseconds(500))) std::_Exit(status);
    }
    return status;
  }

  const Cast& cast_;
  const ViewOptions& options_;
  Controls controls_;
  GlfwWindow window_;
  Painter painter_;
  std::vector<std::unique_ptr<Player>> players_;
  std::size_t next_key_ = 0;
  bool has_told_ = false;
};

}  // namespace

int show_in_window(const Cast& cast, const ViewOptions& options) {
  return Show(cast, options).go();
}

}  // namespace nbody::view
