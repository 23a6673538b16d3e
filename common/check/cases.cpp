#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

#include "check/case_list.hpp"
#include "check/judge.hpp"
#include "check/tolerance.hpp"

// What is asked is drawn, not listed: a list of sizes finds the mistakes that its author thought
// of. Every aspect of a simulator meets sizes of the same kinds, so that a tail that is lost in
// kick() is as visible as one that is lost in the forces.

namespace nbody::check {
namespace {

using Sizes = std::vector<std::size_t>;

enum class Length {
  fixed,
  drawn,   // adaptive; the fixed dt and the floor are on either side of it
  either,  // fixed or drawn
  scene    // adaptive, with the fixed dt and the floor of the scene
};

// A row of the table: one kind of question, asked for each of its sizes.
struct Question {
  Group group = Group::forces;
  std::string what = {};  // {}: the number of steps
  Sizes sizes = {};
  std::function<Scene(std::size_t n)> scene = {};  // none: the next in turn
  bool softened = false;                           // so that no encounter decides
  std::function<std::uint64_t(std::size_t n)> steps = {};
  bool single = false;  // steps, of which each state is answered
  double time = 0;      // of all steps, in steps of the scene; 0: each is one of those
  bool must_forgive = false;
  Length length = Length::fixed;
  bool by_kicks = false;        // kdk or dkd
  const char* integrator = "";  // another one
  bool accelerations = true;    // those in the end
  bool jerk = false;
  Cause alone = {};
  unsigned threads = 0, ranks = 0, block = 0;
  int times = 1;
};

// So long that stale forces lead elsewhere, too; which scenes allow that is tried.
constexpr double long_time = 4 * short_time;

// Of cases with close bodies: what is wrong if all others are right.
const Cause close_pairs_alone = {
    "close_pairs",
    "right except for close pairs: is their distance or their pull limited? Or are digits "
    "lost (too few Newton steps, r^2 from |a|^2 + |b|^2 - 2 a.b, positions that are moved first)? "
    "Take differences of the positions as they are"};
const Cause rest_alone = {"rest", "right for moving bodies: those at rest are left out"};

auto always(std::uint64_t steps) {
  return [steps](std::size_t) { return steps; };
}

// The first body is so heavy and slow that in float it does not move.
Scene around_a_sun(Scene scene) {
  Bodies<double>& b = scene.bodies;
  for (std::size_t i = 1; i < b.size(); ++i) b.mass[i] *= 0x1p-30;
  for (auto* v : {&b.vx, &b.vy, &b.vz}) v->front() *= 0x1p-40;
  return scene;
}

// Not a drawn one: the fixed step would be far too long.
Scene with_long_dt(Scene scene) {
  scene.setting.dt *= 8;
  return scene;
}

Scene faster(Scene scene, double times) {
  for (auto* v : {&scene.bodies.vx, &scene.bodies.vy, &scene.bodies.vz}) {
    for (double& value : *v) value = rounded_to_float(value * times);
  }
  return scene;
}

// On so many threads, every body in turn is a new smallest step, and all threads find theirs at
// the same time: one that looks before another one writes shows.
Scene racing(Scene scene, std::size_t among) {
  Bodies<double>& b = scene.bodies;
  const std::size_t part = (b.size() + among - 1) / among;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double speed = std::pow(1000, static_cast<double>(i % part) / static_cast<double>(part));
    for (auto* v : {&b.vx, &b.vy, &b.vz}) (*v)[i] = rounded_to_float((*v)[i] * speed);
  }
  return scene;
}

// The cases of a seed as they are drawn.
class CaseList {
 public:
  explicit CaseList(const Extent& extent) : extent_(extent), draw_(extent) {}

  std::vector<Case> made() {
    ask_forces();
    ask_exact_cases();
    ask_steps();
    ask_adaptive_steps();
    ask_kicks_and_jerk();
    extent_.ranks > 0 ? ask_on_ranks() : ask_on_threads();
    ask_with_other_blocks();
    ask_many_bodies();
    put_in_order();
    return std::move(cases_);
  }

 private:
  std::size_t between(std::size_t first, std::size_t last) { return draw_.between(first, last); }
  bool in_float() const { return !extent_.in_double; }
  bool has_ranks() const { return extent_.ranks > 0; }

  void ask(const Question& question) {
    for (const std::size_t n : question.sizes) {
      Case test = made(question, n);
      while (question.must_forgive && !forgives(test)) test = made(question, n);
      if (question.times > 1) test.reference();  // once for all copies
      cases_.insert(cases_.end(), static_cast<std::size_t>(question.times), test);
    }
  }
  void ask(Question question, const Sizes& sizes) {
    question.sizes = sizes;
    ask(question);
  }

  Case made(const Question& q, std::size_t n) {
    const bool adaptive = q.length == Length::either ? draw_.one_in(2) : q.length != Length::fixed;
    Scene scene = q.scene ? q.scene(n) : adaptive ? draw_.adaptive_scene(n) : draw_.scene(n);
    // On the lattice of many, none is near another.
    if (q.softened && n <= sampled_from) scene = without_encounters(std::move(scene));
    const std::uint64_t steps = q.steps ? q.steps(n) : 0;
    Case test =
        q.time > 0 ? steps_in_one_go(std::move(scene), steps, q.time) : case_of(q.group, "", scene);
    Request& request = test.request;
    test.group = q.group;
    test.rows = draw_.rows(request.bodies);
    request.steps = steps;
    request.every_state = q.single;
    request.jerk = q.jerk;
    // After steps of many bodies they would cost as much as one more.
    request.accelerations = q.accelerations && (steps == 0 || n <= sampled_from);
    Setting& setting = request.setting;
    // One order tells as much about kick() and drift(). The other one moves all bodies twice, but
    // of many only some are compared.
    const bool drift_first = n > sampled_from || draw_.one_in(2);
    setting.integrator = !q.by_kicks ? q.integrator : drift_first ? "dkd" : "kdk";
    if (q.length == Length::scene) {
      request.adaptive = true;
    } else if (adaptive) {
      make_adaptive(test);
    } else if (q.single && setting.integrator.empty() && draw_.one_in(2)) {
      setting.dt_floor = 2 * setting.dt;  // it is for adaptive steps only
    }
    request.threads = q.threads;
    test.ranks = q.ranks;
    test.block = q.block;
    test.alone = q.alone;
    test.what = fmt::format(fmt::runtime(q.what.empty() ? setting.integrator : q.what), steps);
    if (adaptive) test.what += setting.dt_floor > 0 ? ", adaptive with a floor" : ", adaptive";
    if (q.threads > 0) test.what += fmt::format(", threads: {}", q.threads);
    if (q.ranks > 0) test.what += fmt::format(", ranks: {}", q.ranks);
    if (q.block > 0) test.what += fmt::format(", --block {}", q.block);
    return test;
  }

  // The fixed dt is on either side of the adaptive one; the floor is out of reach, or always or
  // sometimes reached.
  void make_adaptive(Case& test) {
    Setting& setting = test.request.setting;
    test.request.adaptive = true;
    const double first =
        reference_time_step(test.request.bodies, test.reference().acceleration, test.rows);
    const double dt = first > 0 && first < 1e300 ? first : setting.dt;
    setting.dt = draw_.digits_of(dt * (draw_.one_in(2) ? 8 : 0.125));
    const std::size_t kind = between(0, 3);
    if (kind == 0) setting.dt_floor = draw_.digits_of(dt * 1.5);
    if (kind == 1) setting.dt_floor = draw_.digits_of(dt * 0.5);
  }

  // --- what a simulator can be asked: all sizes, threads, ranks, and many bodies meet each
  // --------

  Question forces() { return {.group = Group::forces, .what = "forces"}; }
  Question single_steps() {
    return {.group = Group::steps,
            .what = "{} single steps",
            .softened = true,
            .steps = [](std::size_t n) { return n > long_steps   ? 1
                                                : n > short_runs ? 2
                                                                 : 3; },
            .single = true};
  }
  Question steps_in_a_run() {
    return {.group = Group::steps,
            .what = "{} steps in one go",
            .softened = true,
            .steps = [this](std::size_t n) { return most_of_a_run(n, 4); },
            .time = short_time};
  }
  Question adaptive_single_steps() {
    Question question = single_steps();
    question.group = Group::adaptive_step;
    question.softened = false;
    question.length = Length::drawn;
    return question;
  }
  Question adaptive_run() {
    return {.group = Group::adaptive_step,
            .what = "{} steps in one go",
            .softened = true,
            .steps = [this](std::size_t n) { return most_of_a_run(n, 3); },
            .length = Length::drawn};
  }
  Question kicks() {
    return {.group = Group::integrators,
            .softened = true,
            .steps = [](std::size_t n) { return n > long_steps / 2 ? 1 : 2; },
            .single = true,
            .length = Length::either,
            .by_kicks = true};
  }
  Question jerk() { return {.group = Group::jerk, .what = "da/dt", .jerk = true}; }

  // Two steps of large ones, up to `some` of those between, up to nine of few bodies.
  std::uint64_t most_of_a_run(std::size_t n, std::size_t some) {
    return between(2, n > long_steps ? 2 : n > short_runs ? some : 9);
  }

  // --- the table
  // ----------------------------------------------------------------------------------

  void ask_forces() {
    const Sizes all = draw_.sizes();
    for (const CheckScene kind : check_scenes) {
      const bool giant = kind == CheckScene::heavy_tail || kind == CheckScene::giant_at_edge;
      Sizes sizes;
      for (const std::size_t n : all) {
        const bool some = n > short_runs && n <= 512;
        if (kind != CheckScene::equal_masses && (n >= 1000 || (some && !draw_.one_in(3)))) continue;
        // A giant among many shows digits that are missing in its pull, but not in every system of
        // units.
        sizes.insert(sizes.end(), giant && n > 512 ? 3 : 1, n);
      }
      Question question = forces();
      question.what = name_of(kind);
      question.scene = [&](std::size_t n) { return draw_.scene(kind, n); };
      if (kind == CheckScene::clustered) question.alone = close_pairs_alone;
      ask(question, sizes);
    }
    // As bench times it, a dense core, where few pulls are large, in a wide halo; but without
    // softening, which has cases of its own.
    Sizes sizes = {between(130, 900), between(1000, 1100), between(1500, 2100)};
    draw_.shuffle(sizes);
    sizes.resize(in_float() ? 3 : 1);
    if (in_float()) sizes.push_back(between(33'000, 40'000));
    ask({.what = "star cluster",
         .sizes = sizes,
         .scene =
             [&](std::size_t n) {
               Scene scene = star_cluster(n, draw_.seed());
               scene.setting.softening = 0;
               return scene;
             },
         .alone = close_pairs_alone});
  }

  void ask_exact_cases() {
    for (const FewBodies& few : few_bodies()) {
      Sizes sizes = {few.size()};
      if (few.size() > 1) sizes.push_back(few.size() + between(63, 79));
      if (few.size() > 1) sizes.push_back(few.size() + between(130, 600));
      ask({.group = Group::exact_cases,
           .what = few.name,
           .sizes = sizes,
           .scene = [&](std::size_t n) { return in_a_crowd(few, n, draw_.seed()); },
           .alone = few.alone});
    }
    if (in_float()) {
      ask({.group = Group::exact_cases,
           .what = "close pairs among many",
           .sizes = {between(2400, sampled_from)},
           .scene = [&](std::size_t n) { return close_pairs(n, draw_.seed()); },
           .alone = close_pairs_alone});
    }
  }

  void ask_steps() {
    // In some, the first or the last body rests, where loops lose bodies, as the Sun does in many a
    // data set.
    Sizes moving, resting;
    for (const std::size_t n : draw_.sizes()) (draw_.one_in(3) ? resting : moving).push_back(n);
    ask(single_steps(), moving);
    Question rests = single_steps();
    rests.scene = [&](std::size_t n) {
      return at_rest(draw_.scene(n), draw_.one_in(2) ? 0 : n - 1, 1);
    };
    rests.alone = rest_alone;
    ask(rests, resting);
    rests.what = "{} step from rest";
    rests.scene = [&](std::size_t n) { return at_rest(draw_.scene(n), 0, n); };
    rests.steps = always(1);
    ask(rests, {between(20, 60), between(20, 60), between(20, 60)});

    Question more = single_steps();
    more.steps = always(20);
    ask(more, {2});
    more.steps = always(50);
    ask(more, {between(30, 40)});
    if (in_float()) {
      // What is only done every 16th, 32nd or 64th time: sorting anew, old forces. In longer steps
      // some meet so closely that rounding decides.
      more.scene = [&](std::size_t n) {
        Scene scene = draw_.scene(n);
        scene.setting.dt /= 8;
        return scene;
      };
      more.steps = always(between(66, 80));
      ask(more, {between(260, 600)});
    }
    // What was computed before is kept as long as the first body stays where it is.
    more.scene = [&](std::size_t n) { return around_a_sun(draw_.scene(n)); };
    more.steps = always(3);
    more.alone = {"heavy_first_body",
                  "right if the first body moves, wrong if it is so heavy that it stays"};
    ask(more, {between(20, 60), between(20, 60)});

    ask(steps_in_a_run(), draw_.sizes());
    ask_long_runs();

    for (const std::uint64_t steps : {0, 1}) {
      ask({.group = Group::steps,
           .what = "no time passes",
           .sizes = {2, between(20, 40), between(200, 300)},
           .scene =
               [&](std::size_t n) {
                 Scene scene = draw_.scene(n);
                 scene.setting.dt = 0;
                 return scene;
               },
           .steps = always(steps),
           .alone = {"moved_elsewhere", "the bodies are changed outside update_bodies()"}});
    }
    // A program that knows what is timed must not step otherwise there. One step: in the core of
    // the cluster, rounding the answered state would decide the next.
    for (const bool adaptive : {false, true}) {
      ask({.group = adaptive ? Group::adaptive_step : Group::steps,
           .what = "{} step of a star cluster",
           .sizes = {between(900, 2100)},
           .scene = [&](std::size_t n) { return star_cluster(n, draw_.seed()); },
           .steps = always(1),
           .single = true,
           .length = adaptive ? Length::drawn : Length::fixed,
           .accelerations = false,
           .alone = {"star_cluster",
                     "right except in the star cluster that ./lab bench times: what is different "
                     "there?"},
           .threads = has_ranks() ? 0u : 1u});
    }
  }

  void ask_long_runs() {
    Question run = steps_in_a_run();
    run.time = long_time;
    run.must_forgive = true;
    for (int k = 0; k < 3 && in_float(); ++k) {
      // A CUDA graph may make, for example, 64 steps at a time: two such batches, and some more.
      // And enough that a counter of eight bits wraps around. And round numbers, which people type.
      for (const std::uint64_t steps :
           {k == 0 ? 100 : 128 + between(1, 40), k == 0 ? 1000 : 1000 + between(1, 20)}) {
        run.steps = always(steps);
        ask(run, {between(30, 40)});
      }
    }
    if (has_ranks() || !in_float()) return;  // processes are slow to step
    run.steps = always(between(1025, 3000));
    ask(run, {between(2, 4)});
    // A counter of sixteen bits wraps around, too. Such short steps are mostly rounding, which is
    // tolerated; steps that are lost are not. On one thread, since to wake others takes longer.
    run.steps = always(very_many_steps + between(0, 500));
    run.must_forgive = false;
    run.accelerations = false;
    run.threads = 1;
    ask(run, {2});
  }

  void ask_adaptive_steps() {
    ask(adaptive_single_steps(), draw_.sizes());
    ask(adaptive_run(), draw_.sizes());
    // As in a run: one light body flies straight through all the others, and the step keeps
    // changing.
    for (int k = 0; k < 6 && in_float(); ++k) {
      const std::uint64_t steps = 128 + between(1, 40);
      const bool floor_in_half = k % 2 == 1;
      ask({.group = Group::adaptive_step,
           .what = "{} steps in one go",
           .sizes = {between(30, 40)},
           .scene = [&](std::size_t n) { return flight(n, steps, floor_in_half); },
           .steps = always(steps),
           .must_forgive = true,
           .length = Length::scene,
           .accelerations = false});
    }

    Question one = adaptive_single_steps();
    one.length = Length::scene;
    const auto equal = [&](std::size_t n) { return draw_.scene(CheckScene::equal_masses, n); };
    const auto few = [&] { return Sizes{2, between(20, 60), between(20, 60)}; };
    // Where the textbook root of Eq. 6 fails: with a D far below v^2 its difference cancels: 0.2 a
    // D / v^2 is about 1 / speed^2.
    one.what = "{} steps of fast bodies";
    one.scene = [&](std::size_t n) { return faster(with_long_dt(equal(n)), 1e3); };
    ask(one, few());
    one.what = "{} steps without any pull: a = 0";
    one.scene = [&](std::size_t n) {
      Scene scene = with_long_dt(equal(n));
      scene.setting.G = 0;
      return scene;
    };
    ask(one, few());
    // The opposite case: only a D counts.
    one.what = "{} steps from rest";
    one.scene = [&](std::size_t n) { return at_rest(with_long_dt(equal(n)), 0, n); };
    one.alone = {"rest_in_search", "bodies at rest are left out of the adaptive step"};
    ask(one, few());
    one.steps = always(1);
    one.what = "{} step of very fast bodies";
    one.scene = [&](std::size_t n) { return faster(with_long_dt(equal(n)), 1e7); };
    one.alone = {};
    ask(one, few());

    // Softened bodies at one place: the step is the floor, also where Eq. 7 is 0/0. Alone, and
    // where loops over whole vectors meet both.
    for (const bool rest : {false, true}) {
      one.what = "two bodies at one place";
      one.scene = [&, rest](std::size_t n) {
        // Not the last body, whose step comes last in many a search for the smallest.
        const std::size_t first = between(0, n - 2);
        const std::size_t other = (first + between(1, n - 2)) % (n - 1);
        Scene scene = brought_near(without_encounters(equal(n)), first, other, 0);
        // Far below the step of the others, which must not decide.
        scene.setting.dt_floor = scene.setting.dt / 64;
        return with_long_dt(rest ? at_rest(std::move(scene), 0, n) : std::move(scene));
      };
      one.alone = {
          "one_place",
          "two softened bodies at one place: D = 0 in Eq. 7, so the step is the floor. Or are some "
          "bodies left out of the search?"};
      ask(one, {3, between(40, 80), between(130, 400)});
    }
    // A neighbour far nearer than the softening: r^2 + eps^2 - eps^2 has none of the digits of r^2.
    one.what = "a neighbour within the softening";
    one.scene = [&](std::size_t n) {
      Scene scene = equal(n);
      const std::size_t first = between(0, n - 1);
      scene.setting.softening = draw_.digits_of(smallest_distance(scene.bodies));
      const std::size_t other = nearest_to(scene.bodies, first);
      return brought_near(with_long_dt(std::move(scene)), first, other, 1.0 / 256);
    };
    one.alone = {"softened_neighbour",
                 "right except where the nearest neighbour is within the softening: is its "
                 "distance taken from r^2 + eps^2, where its digits are lost?"};
    ask(one, {2, between(20, 60), between(130, 300)});
  }

  // The other body comes so near, as a share of its distance.
  Scene brought_near(Scene scene, std::size_t one, std::size_t other, double share) {
    for (auto* q : {&scene.bodies.qx, &scene.bodies.qy, &scene.bodies.qz}) {
      (*q)[other] = draw_.digits_of((*q)[one] + ((*q)[other] - (*q)[one]) * share);
    }
    return scene;
  }

  Scene flight(std::size_t n, std::uint64_t steps, bool floor_in_half) {
    Scene scene = with_flier(draw_.scene(CheckScene::heavy_tail, n), n / 2, n / 2);
    if (!floor_in_half) return scene;
    Request request;
    request.bodies = scene.bodies;
    request.setting = scene.setting;
    request.adaptive = true;
    request.steps = steps;
    std::vector<double> lengths = reference_run(request).steps;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(steps / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    scene.setting.dt_floor = *middle;
    return scene;
  }

  void ask_kicks_and_jerk() {
    // Kick and drift meet all sizes by the two orders in which a step can call them. One more
    // integrator starts from accelerations and jerk.
    ask(kicks(), draw_.sizes());
    Question hermite = kicks();
    hermite.by_kicks = false;
    hermite.integrator = "hermite4";
    ask(hermite, {between(20, 60), between(90, 130)});

    ask(jerk(), draw_.sizes());
    // Pairs that are light, close or softened, all moving: where a jerk leaves bodies out.
    for (const FewBodies& few : few_bodies()) {
      if (few.size() == 1) continue;
      Question question = jerk();
      question.what = "da/dt: " + few.name;
      question.scene = [&](std::size_t n) {
        return moving(in_a_crowd(few, n, draw_.seed()), draw_.seed());
      };
      question.alone = {
          "jerk_of_some",
          "the jerk is right for other bodies: are light, close or softened ones left out?"};
      ask(question, {few.size() + between(63, 300)});
    }
  }

  // --- on threads, on ranks, in other blocks, and of many bodies
  // -----------------------------------

  std::vector<Question> aspects() {
    return {forces(), single_steps(), steps_in_a_run(), adaptive_single_steps(), adaptive_run(),
            kicks(),  jerk()};
  }

  void share(Question question, const Sizes& sizes, unsigned among) {
    question.group = has_ranks() ? Group::ranks : Group::threads;
    (has_ranks() ? question.ranks : question.threads) = among;
    if (!question.steps && !question.jerk) {  // no giant hides a body that nobody took
      question.scene = [&](std::size_t n) { return draw_.scene(CheckScene::equal_masses, n); };
    }
    ask(question, sizes);
  }
  void share_all(const Sizes& sizes, unsigned among) {
    for (const Question& question : aspects()) share(question, sizes, among);
  }

  // Fewer bodies than threads, as many, a multiple, and a rest.
  Sizes shared_sizes(unsigned among) {
    const std::size_t most = among > 8 ? 10 : 40;
    Sizes sizes = {among, among * between(2, most), draw_.with_rest(among, 2, most)};
    if (among > 2) sizes.push_back(between(2, among - 1));
    return sizes;
  }

  void ask_on_threads() {
    const auto more = static_cast<unsigned>(between(9, 72));
    if (!in_float()) {
      for (const unsigned among : {2u, static_cast<unsigned>(between(3, 8))}) {
        share_all(shared_sizes(among), among);
      }
      return;
    }
    for (const unsigned among : {2u, 3u, 4u, 5u, 6u, 7u, 8u, more}) {
      share_all(shared_sizes(among), among);
    }
    // The same bodies several times: a race shows as an answer that is wrong now and then.
    Question again = forces();
    again.times = 3;
    for (const unsigned among : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 24u}) {
      share(again, {between(600, 640)}, among);
    }
    for (const unsigned among : {2u, 3u, 4u, 8u}) {
      again = adaptive_single_steps();
      again.what = "{} steps, each with a race";
      again.scene = [&, among](std::size_t n) {
        return racing(with_long_dt(draw_.scene(CheckScene::equal_masses, n)), among);
      };
      again.steps = always(24);
      again.length = Length::scene;
      again.times = 3;
      share(again, {among * between(16, 24)}, among);
      again.single = false;
      again.what = "{} steps in one go, each with a race";
      again.steps = always(2);
      again.times = 2;
      share(again, {among * between(100, 120)}, among);
    }
  }

  // Fewer bodies than ranks, not a multiple of them, and enough that a message exceeds what a
  // library sends eagerly (64 KiB with MPICH).
  void ask_on_ranks() {
    if (!in_float()) return;
    for (unsigned among = 1; among <= 8; ++among) {
      if (among == extent_.ranks) continue;
      // Up to as many bodies as ranks, and a rest: processes are slow to ask.
      share_all({between(std::min(2u, among), among), draw_.with_rest(among, 2, 40)}, among);
      share(single_steps(), {between(1000, 1040)}, among);
    }
    // More processes than many a machine has cores take turns: few requests of few bodies.
    const auto more = static_cast<unsigned>(between(9, 12));
    const Sizes few = {draw_.with_rest(more, 2, 8)};
    share(forces(), few, more);
    share(single_steps(), few, more);
    share(steps_in_a_run(), few, more);
    for (const unsigned among : {2u, 3u}) {
      share(with_equal_masses(single_steps()), {20'000 + between(1, 20)}, among);
    }
  }

  // Kernels that are right for the default block only.
  void ask_with_other_blocks() {
    for (const unsigned block : {16u, 64u, 128u, 512u}) {
      if (!in_float()) return;
      const std::size_t blocks = block < 64 ? 70 : 1;  // narrow blocks are many blocks
      Question question = with_equal_masses(forces());
      question.group = Group::threads;
      question.block = block;
      ask(question, {block * between(1, 2), between(2, block - 1),
                     draw_.with_rest(block, blocks, blocks + 1)});
      question = with_equal_masses(steps_in_a_run());
      question.group = Group::threads;
      question.block = block;
      question.steps = always(3);
      ask(question, {block + 1});
    }
  }

  Question with_equal_masses(Question question) {
    question.scene = [&](std::size_t n) { return draw_.scene(CheckScene::equal_masses, n); };
    return question;
  }

  // Every aspect above what arrays, tiles and indices of a first version may hold: one of more than
  // 8192 bodies and two of some thousands, since each takes a slow program half a second.
  void ask_many_bodies() {
    // In double the same code runs.
    if (!in_float()) {
      if (draw_.one_in(2)) ask(with_equal_masses(forces()), {draw_.many()});
      return;
    }
    std::vector<Question> all = {
        forces(), single_steps(), steps_in_a_run(), adaptive_single_steps(), kicks(), jerk()};
    if (extent_.thorough) all.push_back(adaptive_run());
    draw_.shuffle(all);
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k == 0 || extent_.thorough) {
        ask(of_many(all[k]), {draw_.many()});
      } else if (k <= 2) {
        ask(of_many(all[k]), {draw_.thousands()});
      }
    }
    // An adaptive run shows the forces, the search and the update at once, and a step that is kept
    // from the one before.
    ask(of_many(adaptive_run()), {between(4100, 5000)});
    // Forces of so many have a case of their own.
    ask(of_many(single_steps()), {between(very_many_from, very_many_from + 3000)});
  }

  // Of which only some are compared; the reference moves the others without a pull, in a time in
  // which that does not matter.
  Question of_many(Question question) {
    if (question.length == Length::drawn) {
      question.length = Length::scene;
      question.scene = [&](std::size_t n) { return with_long_dt(draw_.adaptive_scene(n)); };
      if (question.single) question.steps = always(1);
      return question;
    }
    question = with_equal_masses(question);
    question.length = Length::fixed;
    question.time /= 64;
    return question;
  }

  // Families in order of dependence, shuffled inside, and what takes long after all of them.
  // Programs start anew for each block and each number of ranks.
  void put_in_order() {
    draw_.shuffle(cases_);
    ask_relations();
    std::erase_if(cases_, [&](const Case& test) {
      return extent_.largest_n > 0 && test.n() > extent_.largest_n;
    });
    std::stable_sort(cases_.begin(), cases_.end(), [](const Case& a, const Case& b) {
      const auto place = [](const Case& test) {
        const bool is_long = test.n() > sampled_from || test.request.steps >= very_many_steps;
        return std::tuple(test.block, test.ranks, test.n() >= very_many_from, is_long, test.group);
      };
      return place(a) < place(b);
    });
    // The first request is a drawn one of some size: memory that is read before it is written shows
    // before anything has been written there.
    Sizes of_some_size;
    for (std::size_t k = 0; k < cases_.size(); ++k) {
      const Case& test = cases_[k];
      if (test.n() > 30 && test.n() < 600 && test.group != Group::exact_cases && test.block == 0 &&
          test.request.threads + test.ranks == 0) {
        of_some_size.push_back(k);
      }
    }
    if (of_some_size.empty()) return;
    const auto first = cases_.begin() + static_cast<std::ptrdiff_t>(
                                            of_some_size[between(0, of_some_size.size() - 1)]);
    std::rotate(cases_.begin(), first, std::next(first));
  }

  // One crowd, one after the other: an answer that is remembered by the number, the places or the
  // masses of bodies shows.
  void ask_relations() {
    const Scene crowd = draw_.scene(CheckScene::heavy_tail, between(70, short_runs));
    const auto related = [&](const char* what, const auto& change) {
      ask({.group = Group::exact_cases,
           .what = what,
           .sizes = {crowd.bodies.size()},
           .scene = [&](std::size_t) {
             Scene scene = crowd;
             change(scene);
             return scene;
           }});
    };
    related("a crowd", [](Scene&) {});
    related("twice the masses, twice the pull", [](Scene& scene) {
      for (double& mass : scene.bodies.mass) mass *= 2;
    });
    related("mirrored", [](Scene& scene) {
      for (double& x : scene.bodies.qx) x = -x;
    });
    related("in another order", [](Scene& scene) {
      for (auto* column : scene.bodies.columns()) std::reverse(column->begin(), column->end());
    });
    related("shifted, the same pull", [](Scene& scene) { scene = shifted(scene); });
  }

  const Extent& extent_;
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

const Run& Case::run() const {
  if (!ran) ran = std::make_shared<const Run>(reference_run(request, rows));
  return *ran;
}

Case case_of(Group group, std::string what, const Scene& scene) {
  Case test{group, std::move(what), {}, {}};
  test.request.bodies = scene.bodies;
  test.request.setting = scene.setting;
  return test;
}

Scene scene_of(const Request& request) { return {request.bodies, request.setting, 0}; }

Case steps_in_one_go(Scene scene, std::uint64_t steps, double time) {
  scene.setting.dt = rounded_to_float(scene.setting.dt * time / static_cast<double>(steps));
  Case test = case_of(Group::steps, fmt::format("{} steps in one go", steps), scene);
  test.request.steps = steps;
  test.request.accelerations = true;
  return test;
}

bool forgives(const Case& test) {
  Request other = test.request;
  other.setting.G *= 1 + tolerances().front().force;
  const double digits = tolerances().front().digits;
  return miss_of(reference_run(other).end, test.run(), digits) <= path_limit / 10;
}

std::vector<Case> make_cases(const Extent& extent) { return CaseList(extent).made(); }

}  // namespace nbody::check
