#include "core/scenes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/units.hpp"
#include "core/words.hpp"

namespace nbody {
namespace {

void refuse_what_it_cannot(const SceneGenerator& generator, std::size_t n, double box) {
  const std::string& name = generator.name;
  if (!generator.any_number && n != 0 && n != generator.bodies) {
    throw InputError(fmt::format("scene {} has {} bodies, not {}: leave the number out", name,
                                 generator.bodies, n));
  }
  if (generator.bodies == 0 && n == 0) {
    throw InputError(fmt::format("scene {} needs a number of bodies: give one, at least 1", name));
  }
  if (n > max_bodies) {
    throw InputError(
        fmt::format("scene {} with {} bodies: at most {} are possible", name, n, max_bodies));
  }
  if (box != 0 && generator.box == 0) {
    throw InputError(fmt::format("scene {} has no box to resize: leave it out", name));
  }
}

}  // namespace

const std::vector<SceneGenerator>& scene_generators() {
  static const std::vector<SceneGenerator> generators = {
      {"random", "bodies of up to 5e21 kg anywhere in a box, slow", 0, true, 0, random_scene},
      {"galaxy", "a thin disk of light bodies around a heavy one", 0, true, 0, galaxy_scene},
      {"collision", "two disk galaxies pass and draw tails, G = 1; -i 500", 0, true, 0,
       collision_scene},
      {"plummer", "a star cluster in equilibrium, G = 1, N-body units", 0, true, 0, plummer_scene},
      {"two-body", "two bodies on ellipses, period 2 pi, G = 1", 2, false, 0, two_body_scene},
      {"lagrange", "three equal masses on a rotating triangle, G = 1", 3, false, 0, lagrange_scene},
      {"figure-eight", "three equal masses chase each other on an eight, G = 1", 3, false, 0,
       figure_eight_scene},
      {"six", "six heavy bodies, or -n N, in close encounters, G = 1", 6, true, 5, six_scene},
  };
  return generators;
}

Scene make_scene(const std::string& name, std::size_t n, std::uint64_t seed, double box) {
  std::vector<std::string> known;
  for (const SceneGenerator& generator : scene_generators()) {
    known.push_back(generator.name);
    if (generator.name != name) continue;
    refuse_what_it_cannot(generator, n, box);
    Scene scene =
        generator.make({n != 0 ? n : generator.bodies, seed, box != 0 ? box : generator.box});
    scene.bodies = rounded_to_float(scene.bodies);
    return scene;
  }
  throw InputError(
      fmt::format("unknown scene {}: known are {}", in_quotes(name), fmt::join(known, ", ")));
}

}  // namespace nbody
