#include "command_line/run_main.hpp"
#include "view/cast.hpp"
#include "view/movie.hpp"
#include "view/record.hpp"
#include "view/view_options.hpp"
#include "view/window.hpp"

namespace {

using namespace nbody::view;

constexpr std::size_t most_for_trails = 3000;  // more would be a haze

int view(int argc, char** argv) {
  auto options = parse_view_options(argc, argv);
  if (!options) return 0;
  end_when_interrupted();
  try {
    const Cast cast = cast_of(options->manifest, options->part, options->names, options->of_run);
    if (!options->trails_given) options->look.trails = cast.scene.bodies.size() <= most_for_trails;
    if (options->benchmark) return benchmark(cast, *options);
    return options->film.empty() ? show_in_window(cast, *options) : record(cast, *options);
  } catch (const Leave&) {
    return 0;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return nbody::command_line::run_main("view", [&] { return view(argc, argv); });
}
