#include "simulator/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "command_line/command_line.hpp"
#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/scenes.hpp"
#include "core/scheme.hpp"
#include "machine/machine.hpp"
#include "simulator/accelerator.hpp"

namespace nbody {
namespace {

using command_line::CommandLine;

std::string name(const std::string& option, const std::string& text) {
  if (text.empty()) throw InputError(fmt::format("{} needs the name of a file, not ''", option));
  return text;
}

// BASE.0.dat would be a hidden file if BASE ended with its folder.
std::string base_name(const std::string& text) {
  const std::string last = std::filesystem::path(text).filename().string();
  if (last.empty() || last == "." || last == "..") {
    throw InputError(fmt::format(
        "-w needs the beginning of its file names, for example out/orbit, not '{}'", text));
  }
  return text;
}

std::string scene_help() {
  std::string help = "generated initial conditions:";
  for (const auto& scene : scene_generators()) {
    help += fmt::format("\n{:14}{}", scene.name, scene.summary);
  }
  return help;
}

void add_what(CommandLine& line, Options& options) {
  using Text = const std::string&;
  line.group("What to simulate");
  const auto add = [&](const char* name, const char* value, const std::string& help, auto store) {
    line.option(name, value, store, help);
  };
  add("-f", "FILE", "bodies from a body file", [&](Text text) { options.file = name("-f", text); });
  add("-n", "N", "number of bodies to generate",
      [&](Text text) { options.n = command_line::whole_number("-n", text, 1, max_bodies); });
  add("--scene", "NAME", scene_help(), [&](Text text) { options.scene = text; });
  add("--seed", "K", "random seed of the scene (default 1)",
      [&](Text text) { options.seed = command_line::whole_number("--seed", text, 0, UINT64_MAX); });
  add("--box", "L", "scene six fills the cube from -L to L (default 5)",
      [&](Text text) { options.box = command_line::real_number("--box", text, false); });
  add("-i", "ITERATIONS", "time steps to compute", [&](Text text) {
    options.iterations = command_line::whole_number("-i", text, 1, 1'000'000'000'000);
  });
  add("--dt", "S", "time step (default 3600 s, or the scene's)",
      [&](Text text) { options.dt = command_line::real_number("--dt", text, false); });
  line.flag("--vdt", options.adaptive, "adaptive time step (Eq. 7)");
  add("--mdt", "S", "smallest adaptive time step (default 200, or the scene's)",
      [&](Text text) { options.dt_floor = command_line::real_number("--mdt", text, true); });
  add("--soft", "EPS", "softening length, m (default 0, or the scene's)",
      [&](Text text) { options.softening = command_line::real_number("--soft", text, true); });
  add("--G", "X", "gravitational constant (default 6.67384e-11, or the scene's)",
      [&](Text text) { options.G = command_line::real_number("--G", text, true); });
}

std::string scheme_help() {
  std::string help = "how a time step is computed:";
  for (const Scheme& scheme : schemes()) {
    help += fmt::format("\n{:14}{}", scheme.name, scheme.summary);
  }
  return help;
}

void add_integrator(CommandLine& line, Options& options) {
  using Text = const std::string&;
  line.option(
      "--integrator", "NAME", [&](Text text) { options.integrator = scheme_named(text).name; },
      scheme_help());
  line.option(
      "--damping", "D",
      [&](Text text) { options.damping = command_line::real_between("--damping", text, 0, 1); },
      "each step multiplies velocities by D, 0 to 1 (default 1: no damping)");
}

void add_how(CommandLine& line, Options& options) {
  using Text = const std::string&;
  line.group("How");
  line.option(
      "--precision", "P", [&](Text text) { options.precision = protocol::precision_named(text); },
      "float (default) or double");
  line.option(
      "--threads", "T",
      [&](Text text) {
        options.threads =
            static_cast<unsigned>(command_line::whole_number("--threads", text, 1, 4096));
      },
      "OpenMP threads (default OMP_NUM_THREADS, or all cores)");
}

// Only if the implementation takes them.
void add_choice(CommandLine& line, const char* name, const char* help,
                const std::vector<unsigned>& values, unsigned& chosen) {
  if (values.empty()) return;
  const auto store = [&chosen, &values, name](const std::string& text) {
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](unsigned value) { return text == std::to_string(value); });
    if (found == values.end()) {
      std::vector<unsigned> sorted = values;
      std::sort(sorted.begin(), sorted.end());
      throw InputError(
          fmt::format("{} needs one of {}, not '{}'", name, fmt::join(sorted, ", "), text));
    }
    chosen = *found;
  };
  line.option(name, "K", store, fmt::format("{} (default {})", help, values.front()));
}

void add_tuning(CommandLine& line, Options& options, const Implementation& implementation) {
  add_choice(line, "--block", "threads per block", implementation.block_sizes,
             options.tuning.block);
  add_choice(line, "--unroll", "unroll factor of the inner loop", implementation.unrolls,
             options.tuning.unroll);
  if (implementation.largest_grid > 0) {
    const auto store = [&options, most = implementation.largest_grid](const std::string& text) {
      options.tuning.grid =
          static_cast<unsigned>(command_line::whole_number("--grid", text, 1, most));
    };
    line.option("--grid", "B", store, "blocks of the grid at most (default as many as fit)");
  }
  if (implementation.accelerator != nullptr) {
    const bool has_ranks = implementation.accelerator->ranks != nullptr;
    line.flag("--profile", options.profile,
              has_ranks ? "messages and bytes per rank" : "time by kernel, copies and the rest");
  }
}

// The requests carry everything else.
void demand_nothing_else(const CommandLine& line) {
  for (const std::string& name : line.given()) {
    constexpr std::array carried = {"--serve", "--block", "--unroll", "--grid", "--precision"};
    if (std::find(carried.begin(), carried.end(), name) == carried.end()) {
      throw InputError("--serve takes no other options: the requests carry them");
    }
  }
}

void add_output(CommandLine& line, Options& options) {
  using Text = const std::string&;
  line.group("What to show and keep");
  const auto add = [&](const char* name, const char* value, const char* help, auto store) {
    line.option(name, value, store, help);
  };
  line.flag("-v", options.verbose,
            "one line per iteration; steps run one by one, slower with few bodies");
  add("-w", "BASE", "write the bodies to BASE.<iteration>.dat",
      [&](Text text) { options.write_base = base_name(text); });
  add("--every", "K", "with -w or --log: every K-th iteration (default 1), and the last",
      [&](Text text) {
        options.every = command_line::whole_number("--every", text, 1, UINT64_MAX);
      });
  add("--log", "FILE", "energy, momenta, smallest distance ... of each iteration as CSV",
      [&](Text text) { options.log = name("--log", text); });
  add("--json", "FILE", "write the summary as JSON",
      [&](Text text) { options.json = name("--json", text); });
  line.flag("--nv", options.no_visualisation, "no visualisation: only ./lab view has one");
}

void check_scene(const Options& options) {
  for (const auto& scene : scene_generators()) {
    if (scene.name != options.scene) continue;
    if (scene.bodies == 0 && !options.n) {
      throw InputError(fmt::format("--scene {} needs a number of bodies: add -n N", scene.name));
    }
    if (!scene.any_number && options.n && *options.n != scene.bodies) {
      throw InputError(
          fmt::format("--scene {} has {} bodies: leave out -n", scene.name, scene.bodies));
    }
    if (scene.box == 0 && options.box != 0) {
      throw InputError(
          fmt::format("--box is for --scene six: {} has no box to resize", scene.name));
    }
  }
}

void check_combinations(const CommandLine& line, const Options& options) {
  if (options.file && options.n) {
    throw InputError("-f and -n exclude each other: a file has its own number of bodies");
  }
  if (options.file && (line.given("--scene") || line.given("--seed") || line.given("--box"))) {
    throw InputError("-f brings its own bodies: leave out --scene, --seed and --box");
  }
  if (!options.file && !options.n && !line.given("--scene")) {
    throw InputError("which bodies? Add -f FILE, or -n N, or --scene NAME (see --help)");
  }
  if (!options.file) check_scene(options);
  if (options.iterations == 0) throw InputError("how many time steps? Add -i ITERATIONS");
  // Files keep it for a later run.
  if (line.given("--mdt") && !options.adaptive && !options.write_base) {
    throw InputError("--mdt is the shortest adaptive time step: add --vdt");
  }
  if (line.given("--every") && !options.write_base && !options.log) {
    throw InputError("--every needs -w BASE or --log FILE");
  }
}

}  // namespace

std::optional<Options> parse_command_line(int argc, char** argv,
                                          const Implementation& implementation) {
  Options options;
  // What sessions ask for, without parsing all the options.
  if (argc == 2 && std::string(argv[1]) == "--serve") {
    options.serve = true;
    return options;
  }
  CommandLine line(
      fmt::format("{}/{}: {}", implementation.part, implementation.name, implementation.summary),
      implementation.name);
  line.version(fmt::format("N-body performance lab {}, {}/{}, {} {}", LAB_VERSION,
                           implementation.part, implementation.name, machine::compiler_name(),
                           implementation.flags));
  line.flag("--serve", options.serve,
            "answer requests on standard input (docs/protocol.md); alone");
  add_what(line, options);
  add_integrator(line, options);
  add_how(line, options);
  add_tuning(line, options, implementation);
  add_output(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  if (options.serve) {
    demand_nothing_else(line);
    return options;
  }
  check_combinations(line, options);
  return options;
}

}  // namespace nbody
