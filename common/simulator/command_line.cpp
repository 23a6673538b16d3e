#include "simulator/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

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

constexpr double smallest = 1e-300, largest = 1e300;

// CLI11's own ranges write the largest number in full, and let nan pass.
auto number_from(double least, double most) {
  return [=](const std::string& text) {
    double value = 0;
    const bool fits = CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
    return fits ? "" : fmt::format("needs a number from {} to {}, not '{}'", least, most, text);
  };
}

// A minus sign would wrap around.
std::string refusal_of_sign(const std::string& text) {
  if (text.find('-') == text.npos) return "";
  return fmt::format("needs a whole number from 0 on, not '{}'", text);
}

// Nothing, a folder, or a name of dots alone: its files would be hidden, or none.
std::string refusal_of_name(const std::string& text) {
  const std::string name = std::filesystem::path(text).filename();
  if (name.find_first_not_of('.') != name.npos) return "";
  return fmt::format("needs the name of a file, as in data/out/run, not '{}'", text);
}

// Numbers that override those of the scene or the file.
struct Number {
  const char *name, *text;
  double Setting::*member;
  double least = 0, most = largest;
};
const Number numbers[] = {
    {"--dt", "time step (default 3600 s, or the scene's)", &Setting::dt, smallest},
    {"--mdt", "least step of --vdt (default 200 s, or the scene's)", &Setting::dt_floor},
    {"--soft", "softening length, m (default 0, or the scene's)", &Setting::softening},
    {"--G", "gravitational constant (default 6.67384e-11, or the scene's)", &Setting::G},
    {"--damping", "each step multiplies velocities by D (default 1)", &Setting::damping, 0, 1},
};

}  // namespace

std::optional<Options> parse_command_line(int argc, char** argv,
                                          const Implementation& implementation) {
  const auto steps = CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000});
  Options options;
  CLI::App app(
      fmt::format("{}/{}: {}", implementation.part, implementation.name, implementation.summary),
      implementation.name);
  app.set_help_flag("-h,--help", "show this and stop");
  app.add_flag("--serve", options.serve, "answer requests (docs/protocol.md)");

  app.option_defaults()->group("What to simulate");
  auto* const file = app.add_option("-f", options.file, "bodies from a body file");
  auto* const scene = app.add_option("--scene", options.scene,
                                     with_summaries("generated bodies:", scene_generators()));
  auto* const n = app.add_option("-n", options.n, "number of bodies to generate");
  auto* const seed = app.add_option("--seed", options.seed, "random seed of the scene (default 1)");
  auto* const box =
      app.add_option("--box", options.box, "scene six fills the cube from -L to L (default 5)");
  n->check(CLI::Range(std::size_t{1}, std::size_t{max_bodies}));
  seed->check(refusal_of_sign);
  box->check(number_from(smallest, largest));
  for (CLI::Option* of_a_scene : {scene, n, seed, box}) of_a_scene->excludes(file);
  app.add_option("-i", options.iterations, "time steps to compute")->check(steps);
  auto* const adaptive = app.add_flag("--vdt", options.adaptive, "adaptive time step (Eq. 7)");
  for (const auto& [name, text, member, least, most] : numbers) {
    const auto keep = [&, member = member](double value) {
      options.numbers.emplace_back(member, value);
    };
    app.add_option_function<double>(name, keep, text)->check(number_from(least, most));
  }
  app.get_option("--mdt")->needs(adaptive);
  app.add_option("--integrator", options.integrator,
                 with_summaries("how a time step is computed:", schemes()));

  app.option_defaults()->group("How");
  app.add_option("--precision", options.precision)->check(CLI::IsMember({"float", "double"}));
  app.add_option("--threads", options.threads,
                 "OpenMP threads (default OMP_NUM_THREADS, or all cores)")
      ->check(CLI::Range(1U, 4096U));
  const auto& [blocks, unrolls, largest_grid] = implementation.choices;
  if (!blocks.empty()) {
    app.add_option("--block", options.tuning.block, "threads per block")
        ->check(CLI::IsMember(blocks));
  }
  if (!unrolls.empty()) {
    app.add_option("--unroll", options.tuning.unroll, "unroll factor of the inner loop")
        ->check(CLI::IsMember(unrolls));
  }
  if (largest_grid > 0) {
    app.add_option("--grid", options.tuning.grid,
                   "blocks of the grid at most (default as many as fit)")
        ->check(CLI::Range(1U, largest_grid));
  }
  if (const Accelerator* accelerator = implementation.accelerator) {
    app.add_flag("--profile", options.profile,
                 accelerator->on_all_ranks ? "messages and bytes per rank"
                                           : "time by kernel, copies and the rest");
  }

  app.option_defaults()->group("What to show and keep");
  app.add_flag("-v", options.verbose,
               "one line per iteration; steps run one by one, slower with few bodies");
  app.add_option("-w", options.write_base, "write the bodies to BASE.<iteration>.dat")
      ->check(refusal_of_name)
      ->type_name("BASE");
  auto* const every =
      app.add_option("--every", options.every,
                     "with -w or --log: every K-th iteration (default 1), and the last")
          ->check(steps);
  app.add_option("--log", options.log,
                 "energy, momenta, smallest distance ... of each iteration as CSV")
      ->check(refusal_of_name);
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
  if (every->count() > 0 && options.write_base.empty() && options.log.empty()) {
    throw InputError("--every needs files to write: add -w BASE or --log FILE");
  }
  return options;
}

Scene scene_of(const Options& options) {
  Scene scene = options.file.empty()
                    ? make_scene(options.scene, options.n, options.seed, options.box)
                    : read_body_file(options.file);
  Setting& setting = scene.setting;
  for (const auto& [member, value] : options.numbers) setting.*member = value;
  setting.integrator = options.integrator.value_or(setting.integrator);
  return scene;
}

}  // namespace nbody
