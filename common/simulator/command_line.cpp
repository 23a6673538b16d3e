#include "simulator/command_line.hpp"

#include <fmt/format.h>

#include <charconv>
#include <CLI/CLI.hpp>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/scenes.hpp"
#include "core/scheme.hpp"
#include "simulator/accelerator.hpp"

namespace nbody {
namespace {

// A list with a line for each name, for --help.
template <typename Named>
std::string with_summaries(std::string title, const std::vector<Named>& all) {
  for (const Named& one : all) title += fmt::format("\n{:14}{}", one.name, one.summary);
  return title;
}

// CLI11's own ranges write the largest number in full, and let nan pass.
auto number_from(double least, double most) {
  return [=](const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    const bool fits = fault == std::errc() && stop == end && value >= least && value <= most;
    return fits ? "" : fmt::format("needs a number from {} to {}, not '{}'", least, most, text);
  };
}
const auto positive = number_from(1e-300, 1e300), not_negative = number_from(0, 1e300);

}  // namespace

std::optional<Options> parse_command_line(int argc, char** argv,
                                          const Implementation& implementation) {
  Options options;
  CLI::App app(
      fmt::format("{}/{}: {}", implementation.part, implementation.name, implementation.summary),
      implementation.name);
  app.set_help_flag("-h,--help", "show this and stop");
  app.add_flag("--serve", options.serve, "answer requests (docs/protocol.md)");
  const auto add = [&app](const char* name, auto& value, const std::string& text,
                          const auto&... check) {
    CLI::Option* const option = app.add_option(name, value, text);
    (option->check(check), ...);
    return option;
  };
  const auto steps = CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000});

  app.option_defaults()->group("What to simulate");
  CLI::Option* const file = add("-f", options.file, "bodies from a body file");
  CLI::Option* const scene =
      add("--scene", options.scene, with_summaries("generated bodies:", scene_generators()));
  CLI::Option* const n = add("-n", options.n, "number of bodies to generate",
                             CLI::Range(std::size_t{1}, std::size_t{max_bodies}));
  CLI::Option* const seed = add("--seed", options.seed, "random seed of the scene (default 1)");
  CLI::Option* const box =
      add("--box", options.box, "scene six fills the cube from -L to L (default 5)", positive);
  for (CLI::Option* of_a_scene : {scene, n, seed, box}) of_a_scene->excludes(file);
  add("-i", options.iterations, "time steps to compute", steps);
  add("--dt", options.dt, "time step (default 3600 s, or the scene's)", positive);
  CLI::Option* const adaptive =
      app.add_flag("--vdt", options.adaptive, "adaptive time step (Eq. 7)");
  add("--mdt", options.dt_floor, "smallest adaptive time step (default 200, or the scene's)",
      not_negative)
      ->needs(adaptive);
  add("--soft", options.softening, "softening length, m (default 0, or the scene's)", not_negative);
  add("--G", options.G, "gravitational constant (default 6.67384e-11, or the scene's)",
      not_negative);
  add("--integrator", options.integrator,
      with_summaries("how a time step is computed:", schemes()));
  add("--damping", options.damping, "each step multiplies velocities by D (default 1: no damping)",
      number_from(0, 1));

  app.option_defaults()->group("How");
  add("--precision", options.precision, "", CLI::IsMember({"float", "double"}));
  add("--threads", options.threads, "OpenMP threads (default OMP_NUM_THREADS, or all cores)",
      CLI::Range(1U, 4096U));
  const auto& [blocks, unrolls, largest_grid] = implementation.choices;
  if (!blocks.empty()) {
    add("--block", options.tuning.block, "threads per block", CLI::IsMember(blocks));
  }
  if (!unrolls.empty()) {
    add("--unroll", options.tuning.unroll, "unroll factor of the inner loop",
        CLI::IsMember(unrolls));
  }
  if (largest_grid > 0) {
    add("--grid", options.tuning.grid, "blocks of the grid at most (default as many as fit)",
        CLI::Range(1U, largest_grid));
  }
  if (const Accelerator* accelerator = implementation.accelerator) {
    app.add_flag(
        "--profile", options.profile,
        accelerator->ranks ? "messages and bytes per rank" : "time by kernel, copies and the rest");
  }

  app.option_defaults()->group("What to show and keep");
  app.add_flag("-v", options.verbose,
               "one line per iteration; steps run one by one, slower with few bodies");
  add("-w", options.write_base, "write the bodies to BASE.<iteration>.dat")->type_name("BASE");
  add("--every", options.every, "with -w or --log: every K-th iteration (default 1), and the last",
      steps);
  add("--log", options.log, "energy, momenta, smallest distance ... of each iteration as CSV");
  app.add_flag("--nv")->description("no visualisation: only ./lab view has one");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    return std::nullopt;
  } catch (const CLI::ParseError& fault) {
    throw InputError(std::string(fault.what()) + "; --help lists the options");
  }
  if (options.serve) return options;
  if (options.file.empty() && options.n == 0 && scene->count() == 0) {
    throw InputError("which bodies? Add -f FILE, or -n N, or --scene NAME (see --help)");
  }
  if (options.iterations == 0) throw InputError("how many time steps? Add -i ITERATIONS");
  return options;
}

Scene scene_of(const Options& options) {
  Scene scene = options.file.empty()
                    ? make_scene(options.scene, options.n, options.seed, options.box)
                    : read_body_file(options.file);
  Setting& setting = scene.setting;
  setting.G = options.G.value_or(setting.G);
  setting.softening = options.softening.value_or(setting.softening);
  setting.dt = options.dt.value_or(setting.dt);
  setting.dt_floor = options.dt_floor.value_or(setting.dt_floor);
  setting.integrator = options.integrator.value_or(setting.integrator);
  setting.damping = options.damping.value_or(setting.damping);
  return scene;
}

}  // namespace nbody
