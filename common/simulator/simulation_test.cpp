// What an implementation refuses, and what its program answers to a request. That it computes what
// the reference does is the checker's to tell.
#include "simulator/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/scenes.hpp"
#include "simulator/plain.hpp"

namespace nbody {
namespace {

template <typename T, template <typename> typename Class = PlainOf>
Implementation made_of() {
  return {"test",
          "plain",
          "for tests",
          "",
          "",
          +[](const ProblemOf<T>& problem) -> std::unique_ptr<SimulatorOf<T>> {
            return std::make_unique<Class<T>>(problem);
          }};
}
const Implementation in_float = made_of<float>(), in_double = made_of<double>();

std::string refusal_of(const Scene& scene, const Implementation& implementation) {
  try {
    start_simulation(implementation, scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

// Bodies 4 and 17 at one place, if nothing else is said.
TEST(Simulation, RefusesWhatWouldOnlyGiveNaN) {
  Scene start = make_scene("plummer", 20, 1);
  start.setting.softening = 0;
  for (auto* q : {&start.bodies.qx, &start.bodies.qy, &start.bodies.qz}) (*q)[17] = (*q)[4];
  const std::string together = "bodies 4 and 17 (counted from 0) are at the same place",
                    body = "body 1 (counted from 0) is too fast, or too light",
                    soft = "the softening (--soft) is too large", none = "none";
  struct Row {
    void (*change)(Scene&);
    std::string said_in_float, said_in_double;
  };
  const Row rows[] = {
      {[](Scene&) {}, together, together},
      {[](Scene& s) { s.bodies.qx[17] = 0, s.bodies.qx[4] = -0.0; }, together, together},
      {[](Scene& s) { s.bodies.qz[17] *= 1 + 1e-12; }, together, none},
      {[](Scene& s) { s.setting.softening = 1e-20; }, together, none},
      {[](Scene& s) { s.setting.softening = 1e-3; }, none, none},
      {[](Scene& s) { s.bodies.vy[1] = 1e25, s.bodies.qz[17] += 1; }, body, none},
      {[](Scene& s) { s.bodies.mass[0] = 1e60, s.bodies.qz[17] += 1; }, body, none},
      {[](Scene& s) { s.setting.softening = 1e25; }, soft, none}};
  for (const auto& [change, said_in_float, said_in_double] : rows) {
    Scene scene = start;
    change(scene);
    EXPECT_TRUE(refusal_of(scene, in_float).starts_with(said_in_float)) << said_in_float;
    EXPECT_TRUE(refusal_of(scene, in_double).starts_with(said_in_double)) << said_in_double;
  }
}

Tuning seen;

template <typename T>
class Odd : public PlainOf<T> {
 public:
  explicit Odd(const ProblemOf<T>& problem) : PlainOf<T>(problem) { seen = problem.tuning; }
  void copy_accelerations(Vectors<T>& to) const override {
    PlainOf<T>::copy_accelerations(to);
    to.z.back() += copies++;
  }
  void kick(T dt) override { SimulatorOf<T>::kick(dt); }  // it has none
  mutable int copies = 0;
};

TEST(Answer, OfAnOddImplementation) {
  Implementation odd = made_of<double, Odd>();
  odd.choices.block_sizes = {256, 32, 64};
  const Scene scene = make_scene("plummer", 20, 1);
  Request request{.setting = scene.setting, .bodies = scene.bodies};
  EXPECT_NO_THROW(answer_request(odd, request, {.grid = 7}));
  EXPECT_EQ(seen, (Tuning{.block = 256, .grid = 7}));
  answer_request(odd, request, {.block = 64});
  EXPECT_EQ(seen, (Tuning{.block = 64}));
  request.accelerations = true;
  EXPECT_THROW(answer_request(odd, request), std::runtime_error) << "right only the first time";
  request.setting.integrator = "kdk";
  request.steps = 1;
  EXPECT_THROW(answer_request(odd, request), Unsupported);
}

}  // namespace
}  // namespace nbody
