#include <algorithm>
#include <cmath>
#include <numeric>

#include "check/case_list.hpp"
#include "check/error_measure.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// Cases whose answer is known without summing: they also check the reference.
Case exact_case(const char* name, double G = Setting().G, double softening = 0) {
  Case test = case_of(Group::exact_cases, name, {});
  test.request.accelerations = true;
  test.request.setting.G = G;
  test.request.setting.softening = softening;
  return test;
}

void add_body(Case& test, double mass, const Vector& q, const Vector& a, double magnitude) {
  Bodies<double>& b = test.request.bodies;
  for (auto* column : {&b.radius, &b.vx, &b.vy, &b.vz}) column->push_back(0);
  b.mass.push_back(mass);
  b.qx.push_back(q.x);
  b.qy.push_back(q.y);
  b.qz.push_back(q.z);
  test.known.acceleration.x.push_back(a.x);
  test.known.acceleration.y.push_back(a.y);
  test.known.acceleration.z.push_back(a.z);
  test.known.magnitude.push_back(magnitude);
}

// For example Sun and Earth: each feels G m / d^2 towards the other.
Case two_bodies() {
  Case test = exact_case("two bodies: G m / d^2");
  const double sun = rounded_to_float(1.9884e30), earth = rounded_to_float(5.972e24);
  const double d = rounded_to_float(1.496e11);
  const double G = test.request.setting.G;
  add_body(test, sun, {0, 0, 0}, {0, G * earth / (d * d), 0}, G * earth / (d * d));
  add_body(test, earth, {0, d, 0}, {0, -G * sun / (d * d), 0}, G * sun / (d * d));
  return test;
}

// A body alone feels nothing.
Case one_body() {
  Case test = exact_case("one body: zero force");
  add_body(test, 5, {1, 2, 3}, {0, 0, 0}, 0);
  return test;
}

// Eight equal masses on the corners of a cube of half side h and a light one in the middle, which
// feels nothing; a corner feels three kinds of neighbours: edge, face diagonal, space diagonal.
Case cube_with_centre() {
  Case test = exact_case("cube: zero force at its centre", 1);
  const double h = 1024, m = 3072, centre = 1.5;
  add_body(test, centre, {0, 0, 0}, {0, 0, 0}, 8 * m / (3 * h * h));
  const double edge = m / (4 * h * h);
  const double pull =
      edge * (1 + 1 / std::sqrt(2) + 1 / (3 * std::sqrt(3))) + centre / (3 * std::sqrt(3) * h * h);
  for (int corner = 0; corner < 8; ++corner) {
    const double x = corner & 1 ? h : -h, y = corner & 2 ? h : -h, z = corner & 4 ? h : -h;
    add_body(test, m, {x, y, z}, {-pull * x / h, -pull * y / h, -pull * z / h},
             edge * (3 + 3 / 2.0 + 1 / 3.0) + centre / (3 * h * h));
  }
  return test;
}

// Softened pair: G m d / (d^2 + eps^2)^(3/2); with d = 3 and eps = 4 the root is 5.
Case softened_pair() {
  Case test = exact_case("softened pair: 3-4-5", 2, 4);
  add_body(test, 125, {0, 0, 0}, {0, 0, 2 * 250 * 3 / 125.0}, 12);
  add_body(test, 250, {0, 0, 3}, {0, 0, -2 * 125 * 3 / 125.0}, 6);
  return test;
}

// The same pair a thousand times smaller, beside a light body at a distance of 1: eps^2 is 1.5e-5
// of the system's size squared, and still decides the result.
Case softened_pair_in_a_wide_world() {
  const double unit = 0x1p-10, d = 3 * unit, eps = 4 * unit, r = 5 * unit, light = 0x1p-20;
  Case test = exact_case("softened pair in a wide world", 1, eps);
  const double near = d / (r * r * r), far = std::pow(1 + d * d / 4 + eps * eps, -1.5);
  const double sideways = near + light * far * d / 2;
  add_body(test, 1, {-d / 2, 0, 0}, {sideways, light * far, 0}, near);
  add_body(test, 1, {d / 2, 0, 0}, {-sideways, light * far, 0}, near);
  add_body(test, light, {0, 1, 0}, {0, -2 * far, 0}, 2 * far);
  test.alone = {"small_softening",
                "softening is ignored where it is small beside the distances of most bodies"};
  return test;
}

// Two softened bodies at the same place: 0 / eps^3 is nothing, and not 0/0. The third feels both.
Case coincident_softened() {
  Case test = exact_case("softened bodies at one place", 1, 4);
  const double pull = 250 * 3 / 125.0;
  add_body(test, 125, {0, 0, 0}, {0, 0, pull}, pull);
  add_body(test, 125, {0, 0, 0}, {0, 0, pull}, pull);
  add_body(test, 250, {0, 0, 3}, {0, 0, -pull}, pull);
  return test;
}

// A pair 2^-24 apart beside a world of size 1: its 1/d^6 leaves float's range, its 1/d^3 does not.
// The distant light body feels both at its distance of 1.
Case close_pair() {
  Case test = exact_case("close pair in a wide world", 1);
  const double d = 0x1p-24, pull = 1 / (d * d);
  add_body(test, 1, {-d / 2, 0, 0}, {pull, 0, 0}, pull);
  add_body(test, 1, {d / 2, 0, 0}, {-pull, 0, 0}, pull);
  add_body(test, 0x1p-20, {0, 1, 0}, {0, -2, 0}, 2);
  return test;
}

// Two bodies of 10^-12 of the heavy one's mass, close to each other and far from it: they mostly
// feel each other.
Case light_pair() {
  Case test = exact_case("light pair beside a heavy body", 1);
  const double d = 0x1p-24, light = 0x1p-40, pull = light / (d * d);
  add_body(test, 1, {0, 1, 0}, {0, -2 * light, 0}, 2 * light);
  add_body(test, light, {-d / 2, 0, 0}, {pull + d / 2, 1, 0}, pull + 1);
  add_body(test, light, {d / 2, 0, 0}, {-pull - d / 2, 1, 0}, pull + 1);
  test.alone = {"light_bodies",
                "right for other masses: light bodies are left out, or fall below a guard"};
  return test;
}

// Light companions: together they do nothing that a float could show.
constexpr double lighter = 0x1p-30;

// Where the bodies of an exact case stand among others.
enum class Placement { first, anywhere };

// The indices of the exact bodies among `all`.
std::vector<std::size_t> places(Placement placement, std::size_t few, std::size_t all,
                                Random& random) {
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (placement == Placement::anywhere) {
    for (std::size_t k = 0; k < few; ++k) std::swap(order[k], order[k + random.bits() % (all - k)]);
  }
  order.resize(few);
  return order;
}

// The same bodies among light, distant companions, so that they reach loops over whole vectors. The
// reference sums.
Case in_a_crowd(const Case& exact, Placement placement, std::size_t companions,
                std::uint64_t seed) {
  Random random(seed);
  const Bodies<double>& few = exact.request.bodies;
  double extent = 0;
  for (const auto* q : {&few.qx, &few.qy, &few.qz}) {
    for (const double value : *q) extent = std::max(extent, std::abs(value));
  }
  const double light = lighter * *std::min_element(few.mass.begin(), few.mass.end());
  Bodies<double> all;
  all.resize(few.size() + companions);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Direction away = random_direction(random, /*in_plane=*/false);
    const double far = extent * random.uniform(2, 4);
    all.mass[i] = light;
    all.qx[i] = far * away.x;
    all.qy[i] = far * away.y;
    all.qz[i] = far * away.z;
  }
  const auto at = places(placement, few.size(), all.size(), random);
  for (std::size_t k = 0; k < few.size(); ++k) {
    all.mass[at[k]] = few.mass[k];
    all.qx[at[k]] = few.qx[k];
    all.qy[at[k]] = few.qy[k];
    all.qz[at[k]] = few.qz[k];
  }
  Case crowd = check::case_of(exact.group, exact.what + ", in a crowd",
                              {rounded_to_float(all), exact.request.setting, 0});
  crowd.request.accelerations = true;
  crowd.alone = exact.alone;
  return crowd;
}

// As a body has that falls through the scene.
void give_speed(Scene& scene, std::uint64_t seed) {
  Random random(seed);
  Bodies<double>& b = scene.bodies;
  double extent = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    extent = std::max(extent, length(b.qx[i], b.qy[i], b.qz[i]));
  }
  const double heaviest = *std::max_element(b.mass.begin(), b.mass.end());
  const double speed = std::sqrt(scene.setting.G * heaviest / extent);
  for (auto* v : {&b.vx, &b.vy, &b.vz}) {
    for (double& value : *v) value = rounded_to_float(speed * random.uniform(-1, 1));
  }
}

// Shifted by four sizes, on a grid on which no bit is lost: the pulls are the same.
Scene shifted(Scene scene) {
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  const double grid = std::ldexp(1.0, units.length - 12);
  for (auto* q : {&scene.bodies.qx, &scene.bodies.qy, &scene.bodies.qz}) {
    for (double& value : *q) value = std::round(value / grid) * grid + 4096 * 4 * grid;
  }
  return scene;
}

}  // namespace

// Each also in a crowd, so that it meets vector loops.
void add_exact_cases(CaseList& list) {
  Draw& draw = list.draw;
  for (const auto make : {one_body, two_bodies, softened_pair, softened_pair_in_a_wide_world,
                          coincident_softened, cube_with_centre, close_pair, light_pair}) {
    const Case exact = make();
    list.keep(exact);
    if (exact.n() == 1) continue;
    for (const Placement placement : {Placement::first, Placement::anywhere}) {
      list.keep(in_a_crowd(exact, placement, draw.between(63, 79), draw.seed()));
    }
    list.keep(in_a_crowd(exact, Placement::anywhere, draw.between(130, 600), draw.seed()));
  }
  const std::size_t many = draw.between(3900, 4200);
  Case close =
      case_of(Group::exact_cases, "close pairs among many", close_pairs(many, draw.seed()));
  close.request.accelerations = true;
  close.alone = close_pairs_alone;
  close.rows = all_rows(many);  // the pairs are anywhere
  if (!list.extent.in_double) list.cases.push_back(std::move(close));
  Case far = case_of(Group::exact_cases, "shifted, the same pull",
                     shifted(draw.scene(CheckScene::equal_masses, draw.between(130, 400))));
  far.request.accelerations = true;
  list.keep(std::move(far));
}

// Pairs that are light, close or softened, all moving, in a crowd: where a jerk leaves bodies out.
void add_exact_jerks(CaseList& list) {
  Draw& draw = list.draw;
  for (const auto make :
       {two_bodies, softened_pair_in_a_wide_world, coincident_softened, close_pair, light_pair}) {
    const Case exact = make();
    Scene scene = scene_of(
        in_a_crowd(exact, Placement::anywhere, draw.between(63, 300), draw.seed()).request);
    give_speed(scene, draw.seed());
    Case& test = list.jerk_of(scene);
    test.what = "da/dt: " + exact.what;
    test.alone = {
        "jerk_of_some",
        "the jerk is right for other bodies: are light, close or softened ones left out?"};
  }
}

}  // namespace nbody::check
