#include <fmt/format.h>

#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"
#include "bodies/scenes.hpp"
#include "physics/scheme.hpp"
#include "simulator/command_line.hpp"
#include "simulator/memory.hpp"

namespace nbody {
namespace {

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
