// Eq. 7 has one meaning for bodies at the same place (docs/physics.md, section 2): D = 0, so the
// step is 0, which the floor raises. All built programs of all parts are asked; those of part 3 run
// on a GPU if there is one, and on the CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "check/manifest.hpp"
#include "core/reference.hpp"
#include "core/scenes.hpp"
#include "session/session.hpp"

namespace nbody {
namespace {

constexpr double timeout_s = 120;

struct Case {
  const char* name;
  std::size_t n;
  double speed;  // of the two, times their usual one
  bool pulled;
};

constexpr Case cases[] = {{"two, moving", 2, 1, true},
                          {"two at rest", 2, 0, true},
                          {"moving together", 33, 1, true},
                          {"at rest, pulled by others", 33, 0, true},
                          {"at rest, in different tiles and batches", 70, 0, true},
                          {"at rest without any pull", 33, 0, false}};

// The first and the last body are at the same place.
Request request_for(const Case& one) {
  const Scene scene = make_scene("random", one.n, 1);
  Request request;
  request.adaptive = true;
  request.steps = 1;
  request.setting = scene.setting;
  request.setting.softening = 0x1p24;  // m
  request.setting.dt_floor = scene.setting.dt / 1024;
  if (!one.pulled) request.setting.G = 0;
  request.bodies = scene.bodies;
  Bodies<double>& b = request.bodies;
  const std::size_t last = one.n - 1;
  b.qx[last] = b.qx[0], b.qy[last] = b.qy[0], b.qz[last] = b.qz[0];
  for (auto* v : {&b.vx, &b.vy, &b.vz}) {
    (*v)[0] *= one.speed;
    (*v)[last] *= one.speed;
  }
  return request;
}

void expect_step_of_the_floor(const check::ProgramEntry& program) {
  Session session(program.file, program.arguments,
                  {.expected = program.hello, .launcher = program.launcher});
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const Request request = request_for(one);
    const auto& [G, softening] = std::pair(request.setting.G, request.setting.softening);
    const Reference reference = reference_accelerations(request.bodies, G, softening);
    ASSERT_EQ(reference_time_step(request.bodies, reference.acceleration), 0);
    try {
      const double step = session.ask(request, timeout_s).states.back().time;
      EXPECT_NEAR(step / request.setting.dt_floor, 1, 1e-6);
    } catch (const SessionError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// Exhibits that fail on purpose, wrong programs and the student's own are others' business.
bool is_meant(const check::ImplementationEntry& entry) {
  const std::set<std::string> parts = {"part1", "part2", "part3", "part4", "honest", "languages"};
  return parts.count(entry.part) > 0 && entry.expect.empty() && entry.skip.empty() &&
         entry.name.rfind("mine", 0) != 0 && check::reason_to_skip(entry).empty();
}

std::size_t ask_all(const std::filesystem::path& manifest) {
  std::size_t asked = 0;
  if (!std::filesystem::exists(manifest)) return asked;
  for (const check::ImplementationEntry& entry : check::read_manifest(manifest)) {
    if (!is_meant(entry)) continue;
    for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
      const auto program = check::program_in(entry, precision);
      if (!program || !std::filesystem::exists(program->file)) continue;
      SCOPED_TRACE(entry.part + "/" + entry.name + " " + std::string(name_of(precision)));
      expect_step_of_the_floor(*program);
      ++asked;
    }
  }
  return asked;
}

TEST(CoincidentBodies, StopTheClockOfEveryProgram) { EXPECT_GT(ask_all(MANIFEST), 0u); }
TEST(CoincidentBodies, StopTheClockOnTheCpu) { ask_all(MANIFEST_ON_CPU); }

}  // namespace
}  // namespace nbody
