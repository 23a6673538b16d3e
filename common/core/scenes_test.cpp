#include "core/scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "core/body_file.hpp"
#include "core/test_message.hpp"
#include "core/units.hpp"

namespace nbody {
namespace {

// FNV-1a over the bits of all values.
std::uint64_t hash_of(const Scene& scene) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](double value) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) hash = (hash ^ (bits & 0xff)) * 0x100000001b3;
  };
  for (const auto* column : scene.bodies.columns()) {
    for (const double value : *column) add(value);
  }
  for (const double value : {scene.setting.G, scene.setting.softening, scene.setting.dt,
                             scene.setting.dt_floor, scene.time}) {
    add(value);
  }
  return hash;
}

// Another hash means other bodies: results of other days and machines are no longer comparable.
TEST(Scenes, AreTheSameBitsEverywhere) {
  const std::map<std::string, std::uint64_t> expected = {
      {"random", 0x8b719e07554f3f84},       {"galaxy", 0x9f7cc2d54ba42136},
      {"collision", 0xb831d61f8e360070},    {"plummer", 0x820e3214a81ee295},
      {"two-body", 0x478fd90da7e233ec},     {"lagrange", 0xac5a7025b686888f},
      {"figure-eight", 0x372d502477b2e829}, {"six", 0xaf54b81bb16ae69f},
  };
  EXPECT_EQ(scene_generators().size(), expected.size());
  for (const SceneGenerator& generator : scene_generators()) {
    const std::size_t n = generator.bodies != 0 ? generator.bodies : 1000;
    const Scene scene = make_scene(generator.name, n, 42);
    const std::uint64_t hash = hash_of(scene);
    const auto found = expected.find(generator.name);
    EXPECT_TRUE(found != expected.end() && found->second == hash)
        << std::hex << "{\"" << generator.name << "\", 0x" << hash << "},";
    EXPECT_EQ(scene.bodies.size(), n) << generator.name;
    EXPECT_EQ(rounded_to_float(scene.bodies), scene.bodies) << generator.name;
    EXPECT_EQ(parse_bodies(format_bodies(scene), "f"), scene) << generator.name;
    EXPECT_EQ(make_scene(generator.name, n, 2) != scene, generator.any_number) << generator.name;
    if (!generator.any_number) continue;
    const Scene one = make_scene(generator.name, 1, 1);
    EXPECT_EQ(parse_bodies(format_bodies(one), "f"), one) << generator.name;
  }
}

TEST(Scenes, SayWhatTheyCannotMake) {
  const auto message = [](const char* name, std::size_t n, double box = 0) {
    return message_of([=] { make_scene(name, n, 1, box); });
  };
  EXPECT_EQ(message("lagrange", 7), "scene lagrange has 3 bodies, not 7 (-n)");
  EXPECT_EQ(message("random", 0), "scene random has 1 to 134217728 bodies, not 0 (-n)");
  EXPECT_EQ(message("galaxy", max_bodies + 1),
            "scene galaxy has 1 to 134217728 bodies, not 134217729 (-n)");
  EXPECT_EQ(message("plummer", 5, 2), "scene plummer has no box to resize: leave out --box");
  EXPECT_EQ(message("galaxi", 5),
            "unknown scene 'galaxi': known are random, galaxy, collision, plummer, two-body, "
            "lagrange, figure-eight, six");
  EXPECT_EQ(message("two-body", 0) + message("six", 7, 2), "no errorno error");
}

// The six of every worksheet and figure, whether their number is given or not.
TEST(SixScene, HasTheSameFirstSixWhateverNIs) {
  const Scene six = make_scene("six", 0, 42), more = make_scene("six", 20, 42);
  EXPECT_EQ(make_scene("six", 6, 42, 5), six);
  EXPECT_EQ(more.setting, six.setting);
  const auto few = six.bodies.columns(), many = more.bodies.columns();
  for (std::size_t c = 0; c < few.size(); ++c) {
    EXPECT_TRUE(std::equal(few[c]->begin(), few[c]->end(), many[c]->begin()));
  }
}

}  // namespace
}  // namespace nbody
