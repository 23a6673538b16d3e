#include "simulator/command_line.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <CLI/CLI.hpp>
#include <filesystem>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/scenes.hpp"
#include "core/scheme.hpp"
#include "machine/machine.hpp"
#include "simulator/accelerator.hpp"

namespace nbody {
namespace {

template <typename T>
struct Range {
  T least, most;
};
constexpr Range<double> positive{1e-300, 1e300}, not_negative{0, 1e300};
constexpr Range<std::uint64_t> whole{0, UINT64_MAX}, from_one{1, UINT64_MAX};

// Here and not by CLI11, whose versions differ: to some 010 is 8, and 1_000 or nan is a number.
template <typename T>
T number_in(const std::string& option, const std::string& text, const Range<T>& range) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault == std::errc() && stop == end && value >= range.least && value <= range.most) {
    return value;
  }
  throw CLI::ValidationError(option, fmt::format("needs a {} from {} to {}, not '{}'",
                                                 std::is_integral_v<T> ? "whole number" : "number",
                                                 range.least, range.most, text));
}

std::string refuse_empty(const std::string& text) {
  return text.empty() ? "needs the name of a file" : "";
}

// BASE.0.dat would be a hidden file if BASE ended with its folder.
std::string refuse_folder(const std::string& text) {
  const std::string last = std::filesystem::path(text).filename().string();
  if (!last.empty() && last != "." && last != "..") return "";
  return "needs the beginning of its file names, for example out/orbit, not '" + text + "'";
}

// A list with a line for each name, for --help.
template <typename Named>
std::string with_summaries(std::string title, const std::vector<Named>& all) {
  for (const Named& one : all) title += fmt::format("\n{:14}{}", one.name, one.summary);
  return title;
}

void check_combinations(const CLI::App& app, const Options& options) {
  if (options.file.empty() && options.n == 0 && app.count("--scene") == 0) {
    throw InputError("which bodies? Add -f FILE, or -n N, or --scene NAME (see --help)");
  }
  if (options.iterations == 0) throw InputError("how many time steps? Add -i ITERATIONS");
  // Files keep it for a later run.
  if (options.dt_floor && !options.adaptive && options.write_base.empty()) {
    throw InputError("--mdt is the shortest adaptive time step: add --vdt");
  }
  if (app.count("--every") > 0 && options.write_base.empty() && options.log.empty()) {
    throw InputError("--every needs -w BASE or --log FILE");
  }
}

// Before allocating: where the system overcommits memory, a program that uses too much is killed
// without a message.
void refuse_more_than_memory(std::size_t bodies) {
  // Mass, radius, position and velocity in double, four times: the scene, its working units, the
  // implementation's input and its own copy.
  constexpr std::uint64_t bytes_per_body = 4 * 8 * sizeof(double);
  std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0) bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  if (bodies <= bytes / bytes_per_body) return;
  throw InputError(
      fmt::format("-n {} is more than the memory of this machine holds: at most {} bodies", bodies,
                  bytes / bytes_per_body));
}

}  // namespace

std::optional<Options> parse_command_line(int argc, char** argv,
                                          const Implementation& implementation) {
  Options options;
  const std::string name = fmt::format("{}/{}", implementation.part, implementation.name);
  CLI::App app(name + ": " + implementation.summary, implementation.name);
  const auto number = [&](const std::string& option, const std::string& value, auto& into,
                          const auto& range, const std::string& help) {
    const auto store = [&into, option, range](const std::string& text) {
      into = number_in(option, text, range);
    };
    return app.add_option_function<std::string>(option, store, help)->type_name(value);
  };
  app.set_help_flag("-h,--help", "show this and stop");
  app.set_version_flag("--version",
                       fmt::format("N-body performance lab {}, {}, {} {}", LAB_VERSION, name,
                                   machine::compiler_name(), implementation.flags));
  app.add_flag("--serve", options.serve, "answer requests on standard input (docs/protocol.md)");

  app.option_defaults()->group("What to simulate");
  CLI::Option* const file = app.add_option("-f", options.file, "bodies from a body file");
  file->type_name("FILE")->check(refuse_empty);
  app.add_option("--scene", options.scene, with_summaries("generated bodies:", scene_generators()))
      ->type_name("NAME")
      ->excludes(file);
  number("-n", "N", options.n, Range<std::size_t>{1, max_bodies}, "number of bodies to generate")
      ->excludes(file);
  number("--seed", "K", options.seed, whole, "random seed of the scene (default 1)")
      ->excludes(file);
  number("--box", "L", options.box, positive, "scene six fills the cube from -L to L (default 5)")
      ->excludes(file);
  number("-i", "ITERATIONS", options.iterations, Range<std::uint64_t>{1, 1'000'000'000'000},
         "time steps to compute");
  number("--dt", "S", options.dt, positive, "time step (default 3600 s, or the scene's)");
  app.add_flag("--vdt", options.adaptive, "adaptive time step (Eq. 7)");
  number("--mdt", "S", options.dt_floor, not_negative,
         "smallest adaptive time step (default 200, or the scene's)");
  number("--soft", "EPS", options.softening, not_negative,
         "softening length, m (default 0, or the scene's)");
  number("--G", "X", options.G, not_negative,
         "gravitational constant (default 6.67384e-11, or the scene's)");
  app.add_option("--integrator", options.integrator,
                 with_summaries("how a time step is computed:", schemes()))
      ->type_name("NAME");
  number("--damping", "D", options.damping, Range<double>{0, 1},
         "each step multiplies velocities by D (default 1: no damping)");

  app.option_defaults()->group("How");
  app.add_option("--precision", options.precision)->check(CLI::IsMember({"float", "double"}));
  number("--threads", "T", options.threads, Range<unsigned>{1, 4096},
         "OpenMP threads (default OMP_NUM_THREADS, or all cores)");
  if (!implementation.block_sizes.empty()) {
    app.add_option("--block", options.tuning.block, "threads per block")
        ->check(CLI::IsMember(implementation.block_sizes));
  }
  if (!implementation.unrolls.empty()) {
    app.add_option("--unroll", options.tuning.unroll, "unroll factor of the inner loop")
        ->check(CLI::IsMember(implementation.unrolls));
  }
  if (implementation.largest_grid > 0) {
    number("--grid", "B", options.tuning.grid, Range<unsigned>{1, implementation.largest_grid},
           "blocks of the grid at most (default as many as fit)");
  }
  if (implementation.accelerator != nullptr) {
    app.add_flag("--profile", options.profile,
                 implementation.accelerator->ranks != nullptr
                     ? "messages and bytes per rank"
                     : "time by kernel, copies and the rest");
  }

  app.option_defaults()->group("What to show and keep");
  app.add_flag("-v", options.verbose,
               "one line per iteration; steps run one by one, slower with few bodies");
  app.add_option("-w", options.write_base, "write the bodies to BASE.<iteration>.dat")
      ->type_name("BASE")
      ->check(refuse_folder);
  number("--every", "K", options.every, from_one,
         "with -w or --log: every K-th iteration (default 1), and the last");
  app.add_option("--log", options.log,
                 "energy, momenta, smallest distance ... of each iteration as CSV")
      ->type_name("FILE")
      ->check(refuse_empty);
  app.add_flag("--nv")->description("no visualisation: only ./lab view has one");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
    return std::nullopt;
  } catch (const CLI::ExtrasError&) {
    // Its own words name them in reverse.
    throw InputError(fmt::format("{} is not expected here; --help lists the options",
                                 fmt::join(app.remaining(), " ")));
  } catch (const CLI::ParseError& fault) {
    throw InputError(std::string(fault.what()) + "; --help lists the options");
  }
  if (!options.serve) check_combinations(app, options);
  return options;
}

Scene scene_of(const Options& options) {
  if (options.file.empty()) refuse_more_than_memory(options.n);
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
