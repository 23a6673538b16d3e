#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bodies/units.hpp"
#include "check/case.hpp"
#include "check/draw.hpp"
#include "check/exact_cases.hpp"
#include "check/judge.hpp"
#include "physics/scheme.hpp"

// What is asked is drawn, not listed: a list of sizes finds the mistakes that its author thought
// of. Every aspect of a simulator meets sizes of the same kinds, so that a tail that is lost in
// kick() is as visible as one that is lost in the forces.

namespace nbody::check {
namespace {

const char* const close_pairs_alone =
    "right except for close pairs: does r^2 come from |a|^2 + |b|^2 - 2 a.b, which cancels? Take "
    "differences of positions first";

constexpr std::size_t very_large_from = 8200, very_large_to = 9000;

class Cases {
 public:
  explicit Cases(const Extent& extent)
      : extent_(extent), draw_(extent.seed * 2 + (extent.in_double ? 1 : 0)) {}

  std::vector<Case> all() {
    forces();
    exact();
    steps();
    steps_in_one_go();
    no_step();
    adaptive_steps();
    adaptive_steps_in_one_go();
    fast_bodies();
    integrators();
    jerk();
    if (!extent_.in_double) {
      conservation();
      extent_.ranks > 0 ? ranks() : threads();
      other_blocks();
    }
    very_large();
    in_drawn_order();
    return std::move(cases_);
  }

 private:
  Case& add(Group group, std::string what, const Scene& made) {
    cases_.push_back(case_of(group, std::move(what), made));
    cases_.back().rows = draw_.rows(made.bodies.size());
    return cases_.back();
  }

  // The fixed dt is on either side of the adaptive one; the floor is out of reach, or always or
  // sometimes reached.
  void make_adaptive(Case& test) {
    Setting& setting = test.request.setting;
    test.request.adaptive = true;
    const Reference reference =
        reference_accelerations(test.request.bodies, setting.G, setting.softening, test.rows);
    const double first =
        reference_time_step(test.request.bodies, reference.acceleration, test.rows);
    const double dt = is_finite_step(first) ? first : setting.dt;
    setting.dt = rounded_to_float(dt * (draw_.one_in(2) ? 8 : 0.125));
    const std::size_t kind = draw_.between(0, 3);
    if (kind == 0) setting.dt_floor = rounded_to_float(dt * 1.5);
    if (kind == 1) setting.dt_floor = rounded_to_float(dt * 0.5);
  }
  static bool is_finite_step(double step) { return step > 0 && step < 1e300; }

  // --- forces ----------------------------------------------------------------------------------

  Case& forces_of(const Scene& made, const std::string& what) {
    Case& test = add(Group::forces, what, made);
    test.request.want_accelerations = true;
    return test;
  }

  void forces() {
    for (const std::size_t n : draw_.sizes()) {
      for (const CheckScene kind : check_scenes) {
        const bool some = n > short_runs && n <= 512;
        if (some && kind != CheckScene::equal_masses && !draw_.one_in(3)) continue;
        if (n > 1024 && kind != CheckScene::equal_masses) continue;
        Case& test = forces_of(draw_.scene(kind, n), name_of(kind));
        if (kind == CheckScene::clustered) test.alone = close_pairs_alone;
      }
    }
  }

  void exact() {
    for (const Case& exact : exact_cases()) {
      keep(exact);
      if (exact.n() == 1) continue;
      const std::size_t companions = 63 + draw_.between(0, 16);
      for (const Placement placement : {Placement::first, Placement::anywhere}) {
        keep(in_a_crowd(exact, placement, companions, draw_.seed()));
      }
    }
    Case close = case_of(Group::exact_cases, "close pairs among many",
                         close_pairs(draw_.between(3900, 4200), draw_.seed()));
    close.request.want_accelerations = true;
    close.alone = close_pairs_alone;
    if (!extent_.in_double) keep(std::move(close));
    // A shift by four sizes, of bodies on a grid on which it loses no bit, changes nothing.
    Scene shifted = draw_.scene(CheckScene::equal_masses, draw_.between(100, 140));
    const Units units = Units::for_bodies(shifted.bodies, shifted.setting.G);
    const double grid = std::ldexp(1.0, units.length - 12);
    for (auto* q : {&shifted.bodies.qx, &shifted.bodies.qy, &shifted.bodies.qz}) {
      for (double& value : *q) value = std::round(value / grid) * grid + 4096 * 4 * grid;
    }
    Case far = case_of(Group::exact_cases, "shifted, the same pull", shifted);
    far.request.want_accelerations = true;
    keep(std::move(far));
  }

  void keep(Case exact) {
    exact.rows = draw_.rows(exact.n());
    cases_.push_back(std::move(exact));
  }

  // --- steps -----------------------------------------------------------------------------------

  void steps() {
    for (const std::size_t n : draw_.sizes()) {
      const std::uint64_t steps = n > short_runs ? 2 : 3;
      single_steps(without_encounters(draw_.scene(n)), steps);
    }
    single_steps(without_encounters(draw_.scene(2)), 20);
    single_steps(without_encounters(draw_.scene(draw_.between(30, 40))), 50);
    for (int k = 0; k < 3; ++k) {
      Case& test = add(Group::steps, "one step from rest",
                       at_rest(without_encounters(draw_.scene(draw_.between(20, 60)))));
      test.request.steps = 1;
      test.request.want_every_state = true;
      test.alone = "right for moving bodies: those at rest are left out";
    }
  }

  Case& single_steps(const Scene& made, std::uint64_t steps) {
    Case& test = add(Group::steps, fmt::format("{} single steps", steps), made);
    test.request.steps = steps;
    test.request.want_every_state = true;
    test.request.want_accelerations = true;
    // A floor is for adaptive steps only.
    if (draw_.one_in(2)) test.request.setting.dt_floor = 2 * test.request.setting.dt;
    return test;
  }

  // K steps in one go must end where K single steps end. The time is too short for encounters,
  // which turn a thousandth of a force into a tenth of the path.
  Case& in_one_go(Scene made, std::uint64_t steps) {
    made.setting.dt = rounded_to_float(made.setting.dt * 0.625 / static_cast<double>(steps));
    Case& test = add(Group::steps, fmt::format("{} steps in one go", steps), made);
    test.request.steps = steps;
    test.request.want_accelerations = true;
    return test;
  }

  void steps_in_one_go() {
    for (const std::size_t n : draw_.sizes()) {
      in_one_go(without_encounters(draw_.scene(n)), draw_.between(2, n > short_runs ? 4 : 9));
    }
    if (extent_.in_double) return;
    for (int k = 0; k < 3; ++k) {
      const Scene made = without_encounters(draw_.scene(draw_.between(30, 40)));
      // A CUDA graph may make, for example, 64 steps at a time: two such batches, and some more.
      in_one_go(made, 128 + draw_.between(1, 40));
      // And enough that a counter of eight bits wraps around.
      in_one_go(made, 1000 + draw_.between(0, 20));
    }
  }

  void no_step() {
    for (const std::size_t n : {std::size_t{2}, draw_.between(20, 40), draw_.between(200, 300)}) {
      for (const std::uint64_t steps : {0, 1}) {
        Case& test = add(Group::steps, "no time passes", draw_.scene(n));
        test.request.setting.dt = 0;
        test.request.steps = steps;
        test.request.want_accelerations = true;
        test.alone = "the bodies are changed outside update_bodies()";
      }
    }
  }

  // --- adaptive steps --------------------------------------------------------------------------

  void adaptive_steps() {
    for (const std::size_t n : draw_.sizes()) {
      Case& test = add(Group::adaptive_step, "", draw_.adaptive_scene(n));
      make_adaptive(test);
      test.request.steps = n > short_runs ? 2 : 3;
      test.request.want_every_state = true;
      test.request.want_accelerations = true;
      test.what = fmt::format("{} single steps{}", test.request.steps, floor_of(test));
    }
  }
  static const char* floor_of(const Case& test) {
    return test.request.setting.dt_floor > 0 ? ", with a floor" : "";
  }

  void adaptive_steps_in_one_go() {
    for (const std::size_t n : draw_.sizes()) {
      Case& test = add(Group::adaptive_step, "", without_encounters(draw_.adaptive_scene(n)));
      make_adaptive(test);
      test.request.steps = draw_.between(2, n > short_runs ? 3 : 9);
      test.request.want_accelerations = true;
      test.what = fmt::format("{} steps in one go{}", test.request.steps, floor_of(test));
    }
    if (extent_.in_double) return;
    for (int k = 0; k < 3; ++k) flights();
  }

  // As in a run: one light body flies straight through all the others, and the step keeps changing.
  void flights() {
    Scene made = draw_.scene(CheckScene::heavy_tail, draw_.between(30, 40));
    const std::size_t flier = made.bodies.size() / 2;
    made = with_flier(std::move(made), flier, flier);
    for (const bool floor_in_half : {false, true}) {
      const std::uint64_t steps = 128 + draw_.between(1, 40);
      Case& test = add(Group::adaptive_step, fmt::format("{} steps in one go", steps), made);
      test.request.adaptive = true;
      test.request.steps = steps;
      if (!floor_in_half) continue;
      test.what += ", floor in half";
      std::vector<double> lengths = reference_run(test.request).steps;
      const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(steps / 2);
      std::nth_element(lengths.begin(), middle, lengths.end());
      test.request.setting.dt_floor = *middle;
    }
  }

  // Where the textbook root of Eq. 6 fails: with a D far below v^2 its difference cancels. And the
  // opposite case: from rest only a D counts.
  void fast_bodies() {
    struct Kind {
      const char* what;
      double speed;  // times the usual one: 0.2 a D / v^2 is about 1 / speed^2
      bool pulled;
    };
    for (const Kind& kind : {Kind{"fast bodies", 1e3, true}, Kind{"very fast bodies", 1e7, true},
                             Kind{"no pull: a = 0", 1, false}, Kind{"from rest", 0, true}}) {
      for (const std::size_t n : {std::size_t{2}, draw_.between(20, 60), draw_.between(20, 60)}) {
        Scene made = draw_.scene(CheckScene::equal_masses, n);
        Bodies<double>& b = made.bodies;
        for (auto* v : {&b.vx, &b.vy, &b.vz}) {
          for (double& value : *v) value *= kind.speed;
        }
        b = rounded_to_float(b);
        if (!kind.pulled) made.setting.G = 0;
        made.setting.dt *= 8;
        Case& test = add(Group::adaptive_step, kind.what, made);
        test.request.adaptive = true;
        test.request.steps = kind.speed == 1e7 ? 1 : 3;
        if (kind.speed == 0) test.alone = "bodies at rest are left out of the adaptive step";
        test.request.want_every_state = true;
      }
    }
  }

  // --- other integrators, jerk, conservation ----------------------------------------------------

  Case& with_integrator(const std::string& scheme, const Scene& made, bool adaptive) {
    Case& test = add(Group::integrators, scheme, made);
    if (adaptive) {
      make_adaptive(test);
      test.what += ", adaptive step";
    }
    test.request.setting.integrator = scheme;
    test.request.steps = 1;
    test.request.want_every_state = true;
    test.request.want_accelerations = true;
    return test;
  }

  // Kick and drift meet all sizes by the two orders in which a step can call them; the others only
  // combine them otherwise.
  void integrators() {
    for (const std::size_t n : draw_.sizes()) {
      const bool adaptive = draw_.one_in(2);
      const char* scheme = draw_.one_in(2) ? "kdk" : "dkd";
      Scene made = without_encounters(adaptive ? draw_.adaptive_scene(n) : draw_.scene(n));
      with_integrator(scheme, made, adaptive);
    }
    for (const Scheme* scheme : schemes()) {
      if (scheme == schemes().front() || scheme->symmetric_step) continue;
      for (const std::size_t n : {std::size_t{2}, draw_.between(20, 60), draw_.between(90, 130)}) {
        with_integrator(std::string(scheme->name), without_encounters(draw_.scene(n)), false);
      }
    }
  }

  void jerk() {
    for (const std::size_t n : draw_.sizes()) {
      Case& test = add(Group::jerk, "da/dt", draw_.scene(n));
      test.request.want_jerk = true;
    }
  }

  void conservation() {
    for (const CheckScene kind : {CheckScene::equal_masses, CheckScene::heavy_tail}) {
      Scene made = draw_.scene(kind, draw_.between(100, 160));
      const Bodies<double>& b = made.bodies;
      made.setting.softening = *std::max_element(b.qx.begin(), b.qx.end()) / 4;
      made.setting.dt /= 4;
      Case& test = add(Group::conservation, "energy and momenta", made);
      test.request.steps = 50;
    }
  }

  // --- threads, ranks, many bodies ---------------------------------------------------------------

  struct Shared {
    unsigned among;  // threads or ranks
    const char* word;
  };
  void share(Case& test, Group group, const Shared& shared) {
    const char* kind = test.group == Group::forces          ? "forces"
                       : test.group == Group::steps         ? "steps"
                       : test.group == Group::adaptive_step ? "adaptive steps"
                                                            : test.what.c_str();
    test.what =
        fmt::format("{} on {} {}{}", kind, shared.among, shared.word, shared.among > 1 ? "s" : "");
    test.group = group;
    (group == Group::ranks ? test.request.ranks : test.request.threads) = shared.among;
  }

  // Every aspect on one number of threads or ranks.
  void share_all(std::size_t n, Group group, const Shared& shared) {
    forces_of(draw_.scene(CheckScene::equal_masses, n), "");
    share(cases_.back(), group, shared);
    share(single_steps(without_encounters(draw_.scene(n)), 2), group, shared);
    Case& adaptive = add(Group::adaptive_step, "", draw_.adaptive_scene(n));
    make_adaptive(adaptive);
    adaptive.request.steps = 2;
    adaptive.request.want_every_state = true;
    adaptive.request.want_accelerations = true;
    share(adaptive, group, shared);
    const char* scheme = draw_.one_in(2) ? "kdk" : "dkd";
    const bool adaptive_kick = draw_.one_in(2);
    Scene made = without_encounters(scene_for(n, adaptive_kick));
    share(with_integrator(scheme, made, adaptive_kick), group, shared);
  }
  Scene scene_for(std::size_t n, bool adaptive) {
    return adaptive ? draw_.adaptive_scene(n) : draw_.scene(n);
  }

  // Fewer bodies than threads, as many, a multiple, and a rest.
  std::vector<std::size_t> shared_sizes(unsigned among) {
    std::vector<std::size_t> sizes = {among, among * draw_.between(2, 40),
                                      among * draw_.between(2, 40) + draw_.between(1, among)};
    if (among > 2) sizes.push_back(draw_.between(2, among - 1));
    return sizes;
  }

  void threads() {
    for (const unsigned threads : {2u, 3u, 5u, 8u}) {
      for (const std::size_t n : shared_sizes(threads)) {
        share_all(n, Group::threads, {threads, "thread"});
      }
    }
    // The same bodies several times: a race shows as an answer that is wrong now and then.
    const Scene made = draw_.scene(CheckScene::heavy_tail, draw_.between(1000, 1040));
    for (const unsigned threads : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 24u}) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        forces_of(made, "");
        share(cases_.back(), Group::threads, {threads, "thread"});
      }
    }
    for (const unsigned threads : {2u, 3u, 8u}) {
      const Scene large = without_encounters(draw_.adaptive_scene(draw_.between(1000, 1040)));
      for (int repeat = 0; repeat < 2; ++repeat) {
        Case& test = add(Group::adaptive_step, "", large);
        make_adaptive(test);
        test.request.steps = 2;
        test.request.want_accelerations = true;
        share(test, Group::threads, {threads, "thread"});
      }
    }
  }

  // Kernels that are right for the default block only.
  void other_blocks() {
    for (const unsigned block : {64u, 128u, 512u}) {
      for (const std::size_t n : {block * draw_.between(1, 2), draw_.between(2, block - 1),
                                  block * draw_.between(1, 2) + draw_.between(1, block - 1)}) {
        Case& test = forces_of(draw_.scene(CheckScene::equal_masses, n), "");
        test.group = Group::threads;
        test.what = fmt::format("forces with --block {}", block);
        test.block = block;
      }
    }
  }

  // Fewer bodies than ranks, not a multiple of them, and enough that a message exceeds what a
  // library sends eagerly (64 KiB with MPICH).
  void ranks() {
    for (unsigned ranks = 1; ranks <= 8; ++ranks) {
      if (ranks == extent_.ranks) continue;
      // Up to as many bodies as ranks, and a rest: processes are slow to ask.
      for (const std::size_t n : {draw_.between(std::min(2u, ranks), ranks),
                                  ranks * draw_.between(2, 40) + draw_.between(1, ranks)}) {
        share_all(n, Group::ranks, {ranks, "rank"});
      }
      share(single_steps(without_encounters(draw_.scene(draw_.between(1000, 1040))), 2),
            Group::ranks, {ranks, "rank"});
    }
    for (const unsigned ranks : {2u, 3u}) {
      Case& test =
          single_steps(draw_.scene(CheckScene::equal_masses, 20000 + draw_.between(1, 20)), 1);
      test.request.want_accelerations = false;
      share(test, Group::ranks, {ranks, "rank"});
    }
  }

  // One adaptive step shows the forces, the search and the update at once.
  void very_large() {
    if (extent_.in_double && draw_.one_in(2)) return;
    const std::size_t n = draw_.between(very_large_from, very_large_to);
    const std::size_t flier = n - 1 - draw_.between(0, 15);
    Case& test = add(Group::adaptive_step, "one step of many bodies",
                     with_flier(draw_.scene(CheckScene::equal_masses, n), flier, flier));
    test.request.adaptive = true;
    test.request.steps = 1;
    test.request.want_every_state = true;
    test.request.want_accelerations = true;
  }

  // The first request is a drawn one of some size: memory that is read before it is written shows
  // before anything has been written there. Large ones come last, when it is known what they cost.
  void in_drawn_order() {
    if (extent_.largest_n > 0) {
      std::erase_if(cases_, [&](const Case& test) { return test.n() > extent_.largest_n; });
    }
    draw_.shuffle(cases_);
    const auto first = std::find_if(cases_.begin(), cases_.end(), [](const Case& test) {
      return test.n() > 30 && test.n() < 600 && test.request.threads + test.request.ranks == 0;
    });
    if (first != cases_.end()) std::swap(*first, cases_.front());
    // Programs start anew for each block and each number of ranks.
    std::stable_sort(cases_.begin(), cases_.end(), [](const Case& a, const Case& b) {
      const auto place = [](const Case& test) {
        return std::tuple(test.block, test.request.ranks, test.n() >= very_large_from);
      };
      return place(a) < place(b);
    });
    if (extent_.largest_n == 0 || extent_.largest_n > short_runs) twice_the_masses();
  }

  // One after the other: an answer that is remembered by the places of bodies shows.
  void twice_the_masses() {
    Case once = forces_of(draw_.scene(CheckScene::equal_masses, draw_.between(70, short_runs)),
                          "twice the masses, twice the pull");
    cases_.pop_back();
    once.group = Group::exact_cases;
    Case twice = once;
    for (double& mass : twice.request.bodies.mass) mass *= 2;
    cases_.insert(std::next(cases_.begin()), {std::move(once), std::move(twice)});
  }

  const Extent extent_;
  Draw draw_;
  std::vector<Case> cases_;
};

}  // namespace

const Reference& Case::reference() const {
  if (!computed) {
    const Setting& setting = request.setting;
    computed = std::make_shared<const Reference>(
        reference_accelerations(request.bodies, setting.G, setting.softening, rows));
  }
  return *computed;
}

Case case_of(Group group, std::string what, const Scene& scene) {
  Case test{group, std::move(what), {}, {}};
  test.request.bodies = scene.bodies;
  test.request.setting = scene.setting;
  return test;
}

Scene scene_of(const protocol::Request& request) { return {request.bodies, request.setting, 0}; }

std::vector<Case> make_cases(const Extent& extent) { return Cases(extent).all(); }

}  // namespace nbody::check
