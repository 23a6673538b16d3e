#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/scenes.hpp"
#include "core/scheme.hpp"
#include "simulator/command_line.hpp"

namespace nbody {
namespace {

// Mass, radius, position and velocity in double, four times: the scene, its working units, the
// implementation's input and its own copy.
constexpr std::uint64_t bytes_per_body = 4 * 8 * sizeof(double);

std::uint64_t memory_bytes() {
  std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  }
  return bytes;
}

// Checked before allocating: where the system overcommits memory, a program that uses too much is
// killed without a message.
void refuse_more_than_memory(std::size_t bodies) {
  const std::uint64_t most = memory_bytes() / bytes_per_body;
  if (bodies <= most) return;
  throw InputError(fmt::format(
      "-n {} is more than the memory of this machine holds: at most {} bodies", bodies, most));
}

// Readers of body files accept any name.
void demand_known_scheme(const std::string& integrator, const std::filesystem::path& file) {
  try {
    scheme_named(integrator);
  } catch (const InputError& fault) {
    throw InputError(fmt::format("{}: {}", file.string(), fault.what()));
  }
}

}  // namespace

Scene scene_of(const Options& options) {
  if (options.n) refuse_more_than_memory(*options.n);
  Scene scene = options.file
                    ? read_body_file(*options.file)
                    : make_scene(options.scene, options.n.value_or(0), options.seed, options.box);
  Setting& setting = scene.setting;
  if (options.file) demand_known_scheme(setting.integrator, *options.file);
  setting.G = options.G.value_or(setting.G);
  setting.softening = options.softening.value_or(setting.softening);
  setting.dt = options.dt.value_or(setting.dt);
  setting.dt_floor = options.dt_floor.value_or(setting.dt_floor);
  setting.integrator = options.integrator.value_or(setting.integrator);
  setting.damping = options.damping.value_or(setting.damping);
  return scene;
}

}  // namespace nbody
