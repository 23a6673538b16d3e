#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "check/case.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// Judges a case that is no row of the table and adds its row; one without an answer says why.
Row& add_row(Rows& rows, const Plan& plan, const Subject& subject, Row row,
             const std::function<void(Row&)>& judge) {
  try {
    if (subject.given_up() != GivenUp::no) {
      note_given_up(row, subject);
    } else {
      judge(row);
    }
  } catch (const SessionError& fault) {
    note_fault(row, fault, subject);
  }
  plan.on_row(row, 0, 0);
  rows.push_back(std::move(row));
  return rows.back();
}

constexpr double longest_answer = 8;  // s
constexpr std::size_t last_of_ladder = 4099, random_rows = 200;

// Scenes that are hard to sum: large terms come early or late, and round small ones.
struct Distribution {
  const char* name;
  void (*change)(Bodies<double>& bodies, Random& random);
};

void equal_masses(Bodies<double>&, Random&) {}

void one_half(Bodies<double>& bodies, Random& random) {
  const bool first = random.uniform() < 0.5;
  bodies.mass[first ? 0 : bodies.size() / 2] = static_cast<double>(bodies.size());
}

void four_decades(Bodies<double>& bodies, Random& random) {
  for (double& mass : bodies.mass) mass = std::pow(10, random.uniform(0, 4));
}

void thin_disk(Bodies<double>& bodies, Random& random) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Direction outwards = random_direction(random, /*in_plane=*/true);
    const double r = std::sqrt(random.uniform());
    bodies.qx[i] = r * outwards.x;
    bodies.qy[i] = r * outwards.y;
    bodies.qz[i] = random.uniform(-1e-3, 1e-3);
  }
}

void two_clusters(Bodies<double>& bodies, Random&) {
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.qx[i] += i % 2 == 0 ? -50 : 50;
}

constexpr Distribution distributions[] = {{"equal masses", equal_masses},
                                          {"one body as heavy as the others", one_half},
                                          {"masses over 4 decades", four_decades},
                                          {"thin disk", thin_disk},
                                          {"two clusters", two_clusters}};

Scene scene_of(const Distribution& distribution, std::size_t n, std::uint64_t seed) {
  Random random(seed * 1000003 + n);
  Scene scene;
  scene.setting = {1, rounded_to_float(1e-3), 1e-3, 0};  // eps^2 is far below 1e-4
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = 1;
    for (auto* q : {&bodies.qx, &bodies.qy, &bodies.qz}) (*q)[i] = random.uniform(-1, 1);
  }
  distribution.change(bodies, random);
  bodies = rounded_to_float(bodies);
  return scene;
}

// Bodies at the edges of loops and tiles, which code forgets most easily, each with its nearest
// neighbour, where a forgotten body shows most; and some at random.
std::vector<std::size_t> rows_to_compare(const Bodies<double>& bodies, std::uint64_t seed) {
  const std::size_t n = bodies.size();
  std::vector<std::size_t> rows;
  for (const std::size_t edge :
       {std::size_t{0}, n / 2, n - 2, n - 1, n / 64 * 64, n / 256 * 256, n / 1024 * 1024}) {
    for (const std::size_t i : {edge, edge - 1}) {
      if (i < n) rows.insert(rows.end(), {i, nearest_to(bodies, i)});
    }
  }
  Random random(seed + n);
  for (std::size_t k = 0; k < random_rows; ++k) rows.push_back(random.bits() % n);
  return rows;
}

// A promise that sums hold is tested at any N.
double limit_of(const Distribution& distribution, const Subject& subject, std::size_t n) {
  if (subject.holds_sums()) return subject.tolerance().force;
  return distribution.change == equal_masses ? force_limit(subject.tolerance(), n)
                                             : plain_sum_limit(subject.tolerance(), n);
}

Vectors<double> accelerations_of(Subject& subject, const Scene& scene) {
  Case test = case_of(Group::many_bodies, "", scene);
  test.request.accelerations = true;
  return subject.ask(test.request).accelerations;
}

void judge(Subject& subject, const Distribution& distribution, Row& row) {
  const Scene scene = scene_of(distribution, row.n, row.seed);
  const std::vector<std::size_t> rows = rows_to_compare(scene.bodies, row.seed);
  const Reference reference =
      reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening, rows);
  const Vectors<double> all = accelerations_of(subject, scene);
  ForceError error = force_error(reference, rows_of(all, rows));
  row.error = is_finite(all) ? error.max : std::numeric_limits<double>::quiet_NaN();
  row.verdict = judged(row.error, row.limit);
  error.worst = rows[error.worst];
  const double limit = force_limit(subject.tolerance(), row.n);
  if (row.verdict == Verdict::failed) {
    row.detail = describe_force_error(error);
    row.cause = {"too_many", fmt::format("right up to {} bodies, wrong with {}: is an index, an "
                                         "array or a sum too small for so many?",
                                         last_of_ladder, row.n)};
    if (row.error <= plain_sum_limit(subject.tolerance(), row.n)) {
      row.cause = {"long_sums",
                   "its sums lose more than its row promises: one long float sum, where partial "
                   "sums would keep the small terms"};
    }
  } else if (row.error > limit) {
    row.detail = fmt::format("{} loses small terms beside large ones: error {:.0e}, usually {:.0e}",
                             name_of(subject.precision()), row.error, limit);
  }
}

// Seconds for an answer at the largest N of the ladder; infinity if there is none.
double seconds_of_ladder(Subject& subject, std::uint64_t seed) {
  try {
    accelerations_of(subject, make_check_scene(CheckScene::equal_masses, last_of_ladder, seed));
    return subject.session().answer_seconds();
  } catch (const SessionError&) {
    return std::numeric_limits<double>::infinity();
  }
}

constexpr std::size_t few = 257;  // bodies
constexpr int requests = 1000, until_settled = 300;
// A lost array of floats is 1 kB a request; what libraries keep stays below a tenth.
constexpr double most_per_request = 500;
constexpr double patience = 5;  // s, for the end of a program: a GPU's driver is slow

// Each request creates and deletes a simulator: leaks add up.
void judge_memory(Subject& subject, const Request& request, Row& row) {
  // A fresh process: memory freed after larger problems would hide a leak.
  subject.session().finish(patience);
  std::size_t settled = 0;
  for (int k = 0; k < requests; ++k) {
    subject.ask(request);
    if (k + 1 == until_settled) settled = subject.session().numbers().memory;
  }
  const double grown =
      static_cast<double>(subject.session().numbers().memory) - static_cast<double>(settled);
  row.error = grown > 0 ? grown / (requests - until_settled) : 0;
  row.detail = fmt::format("{:.0f} bytes more per request", row.error);
  row.verdict = judged(row.error, row.limit);
  if (row.verdict == Verdict::failed) {
    row.cause = {"leak", fmt::format("memory leak: {:.0f} bytes per simulator of {} bodies. Delete "
                                     "what you allocate, or use std::vector",
                                     row.error, few)};
  }
}

// The last row: the program has nothing more to do.
void judge_end(Subject& subject, const Request& request, Row& row) {
  subject.ask(request);
  const auto start = std::chrono::steady_clock::now();
  const std::string ending = subject.session().finish(patience);
  row.error = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool well = ending == "exited with status 0";
  row.verdict = well ? Verdict::passed : Verdict::failed;
  row.detail = ending;
  if (!well) {
    row.error = std::max(row.error, 2 * patience);
    row.cause = {"unclean_exit",
                 fmt::format("its answers are right, but it does not exit cleanly: it {}. A "
                             "destructor, or a thread that is never joined?",
                             ending)};
  }
}

}  // namespace

void check_many_bodies(Subject& subject, const Plan& plan, Rows& rows) {
  double seconds = seconds_of_ladder(subject, plan.seed);
  if (std::isinf(seconds)) return;  // no answer: other rows report it
  const bool right_so_far = all_passed(rows);
  std::size_t before = last_of_ladder;
  for (const std::size_t n : {16385, 65537, 131072, 1048577}) {
    if (plan.largest_n > 0 && n > plan.largest_n) return;
    const double times = static_cast<double>(n) / static_cast<double>(before);
    if (seconds * times * times > longest_answer) {
      plan.on_left_out(fmt::format("{} bodies and more: one answer would take {:.0f} s", n,
                                   seconds * times * times));
      return;
    }
    for (const Distribution& distribution : distributions) {
      Row& row = add_row(rows, plan, subject,
                         Row{Group::many_bodies, fmt::format("{} of {}", n, distribution.name), n,
                             plan.seed, false, 0, limit_of(distribution, subject, n)},
                         [&](Row& made) { judge(subject, distribution, made); });
      if (!right_so_far) row.cause = {};  // the number of bodies is not the cause
    }
    if (rows.back().reply != Reply::given) {
      plan.on_left_out(fmt::format("more than {} bodies: there was no answer", n));
      return;
    }
    // On an accelerator, few bodies tell little about many.
    seconds = subject.session().answer_seconds();
    before = n;
  }
}

void check_long_use(Subject& subject, const Plan& plan, Rows& rows) {
  Request request =
      case_of(Group::long_use, "", make_check_scene(CheckScene::equal_masses, few, plan.seed))
          .request;
  const auto add = [&](std::string what, double limit, auto judge) {
    add_row(rows, plan, subject,
            Row{Group::long_use, std::move(what), few, plan.seed, false, 0, limit},
            [&](Row& row) { judge(subject, request, row); });
  };
  request.steps = 1;
  request.accelerations = true;
  add(fmt::format("memory over {} requests", requests), most_per_request, judge_memory);
  add("exits after the last request", patience, judge_end);
}

}  // namespace nbody::check
