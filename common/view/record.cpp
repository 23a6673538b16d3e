#include "view/record.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <numbers>

#include "bodies/input_error.hpp"
#include "command_line/progress.hpp"
#include "simulator/run_report.hpp"
#include "view/hud.hpp"
#include "view/movie.hpp"
#include "view/offscreen.hpp"
#include "view/painter.hpp"
#include "view/simulated.hpp"

namespace nbody::view {
namespace {

using Clock = std::chrono::steady_clock;
using Lines = std::vector<std::vector<std::string>>;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void show_progress(int done, int frames, double seconds) {
  if (done == frames) return command_line::clear_progress();
  const double left = seconds / done * (frames - done);
  command_line::show_progress(
      fmt::format("picture {} of {}, {} left", done, frames, human_time(left < 1 ? 1 : left)));
}

class Recorder {
 public:
  Recorder(const Cast& cast, const ViewOptions& options)
      : cast_(cast),
        options_(options),
        camera_(options.camera),
        screen_(options.width, options.height),
        painter_(cast.scene.bodies, cast.players.size()) {
    for (const auto& player : cast.players) {
      simulated_.push_back(std::make_unique<Simulated>(player.program, cast.scene, cast.options,
                                                       Simulated::Energy::always));
      shown_.push_back(simulated_.back()->begin(wants_accelerations()));
    }
  }

  Picture picture(int frame) {
    const bool asked = cast_.options.iterations < endless;
    const std::uint64_t until =
        iterations_at(frame, options_.frames, cast_.options.iterations, asked);
    for (std::size_t k = 0; k < simulated_.size(); ++k) move(k, until);
    draw(frame);
    return screen_.picture();
  }

 private:
  bool wants_accelerations() const { return options_.look.colour == Look::Colour::acceleration; }

  void move(std::size_t k, std::uint64_t until) {
    const std::uint64_t steps = until - shown_[k]->iteration;
    if (steps > 0) shown_[k] = simulated_[k]->advance(steps, wants_accelerations());
    if (!shown_[k]->finite) throw InputError(no_longer_finite);
    painter_.show(k, shown_[k], options_.look);
  }

  void draw(int frame) {
    const float share = static_cast<float>(frame) / static_cast<float>(options_.frames);
    camera_.yaw = options_.camera.yaw + share * options_.turn * std::numbers::pi_v<float> / 180;
    Lines lines;
    for (std::size_t k = 0; k < shown_.size(); ++k) {
      lines.push_back(hud_lines(cast_.players[k].title, *shown_[k], cast_.scene, false));
    }
    painter_.draw(screen_.framebuffer(), options_.width, options_.height, camera_, options_.look,
                  lines, {});
  }

  const Cast& cast_;
  const ViewOptions& options_;
  Camera camera_;
  Offscreen screen_;
  Painter painter_;
  std::vector<std::unique_ptr<Simulated>> simulated_;
  std::vector<Shown> shown_;
};

}  // namespace

std::uint64_t iterations_at(int frame, int frames, std::uint64_t iterations, bool asked) {
  const auto k = static_cast<std::uint64_t>(frame);
  if (!asked || frames == 1) return k;
  const auto last = static_cast<std::uint64_t>(frames - 1);
  return iterations / last * k + iterations % last * k / last;
}

int record(const Cast& cast, const ViewOptions& options) {
  demand_movie(options.film, options.width, options.height);
  Recorder recorder(cast, options);
  Movie movie(options.film, options.width, options.height, options.frames_per_second);
  const auto start = Clock::now();
  for (int frame = 0; frame < options.frames; ++frame) {
    movie.add(recorder.picture(frame));
    show_progress(frame + 1, options.frames, seconds_since(start));
  }
  movie.finish();
  fmt::print("{}: {} pictures of {}x{}, {:.1f} s, {} kB\n", options.film.string(), options.frames,
             options.width, options.height,
             static_cast<double>(options.frames) / options.frames_per_second,
             (std::filesystem::file_size(options.film) + 999) / 1000);
  return 0;
}

int benchmark(const Cast& cast, const ViewOptions& options) {
  constexpr double long_enough_s = 3;
  Offscreen screen(options.width, options.height);
  Painter painter(cast.scene.bodies, 1);
  Simulated simulated(cast.players.front().program, cast.scene, cast.options,
                      Simulated::Energy::always);
  const Shown first = simulated.begin(false);
  const Look& look = options.look;
  const auto draw = [&](float turn) {
    Camera camera = options.camera;
    camera.yaw += turn;
    painter.show(0, std::make_shared<const Snapshot>(*first), look);  // each picture a new state
    painter.draw(screen.framebuffer(), options.width, options.height, camera, look,
                 {hud_lines(cast.players.front().title, *first, cast.scene, true)}, key_lines());
    glFinish();
  };
  draw(0);
  const auto start = Clock::now();
  int pictures = 0;
  while (seconds_since(start) < long_enough_s) draw(0.01F * static_cast<float>(++pictures));
  fmt::print("{} bodies, {}x{}: {:.1f} pictures per second, drawn by {}\n",
             cast.scene.bodies.size(), options.width, options.height,
             pictures / seconds_since(start),
             reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
  return 0;
}

}  // namespace nbody::view
