#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>

#include "check/case_list.hpp"
#include "check/judge.hpp"
#include "check/tolerance.hpp"
#include "core/conserved.hpp"

// What is asked is drawn, not listed: a list of sizes finds the mistakes that its author thought
// of. Every aspect of a simulator meets sizes of the same kinds, so that a tail that is lost in
// kick() is as visible as one that is lost in the forces.

namespace nbody::check {
namespace {

using Sizes = std::vector<std::size_t>;
using enum CheckScene;

enum class How { forces, single_steps, run, kicks, jerk };

enum class Length { fixed, adaptive, either };

using Change = std::function<void(Scene&)>;

// What is asked; of how many bodies stands beside it in the table.
struct Question {
  Group group;
  std::string what;  // {}: the number of steps
  How how;
  Length length = Length::fixed;
  bool softened = false;                 // so that no encounter decides
  std::optional<CheckScene> scene = {};  // none: the next in turn
  Change change = {};                    // what is special about it
  std::uint64_t steps = 0;               // 0: few of large ones, else some
  double time = 0.625;  // of a run of fixed steps, in steps of its scene: too short for encounters,
                        // which turn a thousandth of a force into a tenth of the path
  bool accelerations = true;  // those in the end
  bool must_forgive = false;  // rounding does not lead elsewhere
  unsigned threads = 0, ranks = 0, block = 0;
  std::size_t times = 1;
  Cause alone = {};  // what is wrong if all that fails has it
};

// What a simulator can be asked. All sizes, threads and ranks, and many bodies meet each.
const Question forces = {Group::forces, "forces", How::forces};
const Question single_steps = {Group::steps, "{} single steps", How::single_steps, Length::fixed,
                               true};
const Question run = {Group::steps, "{} steps in one go", How::run, Length::fixed, true};
const Question adaptive_steps = {Group::adaptive_step, "{} single steps", How::single_steps,
                                 Length::adaptive};
const Question adaptive_run = {Group::adaptive_step, "{} steps in one go", How::run,
                               Length::adaptive, true};
const Question kicks = {Group::integrators, "{} steps by kick and drift", How::kicks,
                        Length::either, true};
const Question jerk = {Group::jerk, "da/dt", How::jerk};
const Question aspects[] = {forces, single_steps, run, adaptive_steps, kicks, jerk, adaptive_run};

// The same question where something is special.
struct Special {
  const char* what;
  std::uint64_t steps;
  Sizes sizes;
  Change change = {};
  Cause alone = {};
};

const Cause close_pairs_alone = {
    "close_pairs",
    "right except for close pairs: is their distance or their pull limited? Or are digits "
    "lost (too few Newton steps, r^2 from |a|^2 + |b|^2 - 2 a.b, positions that are moved first)? "
    "Take differences of the positions as they are"};
const Cause flat_alone = {
    "equal_coordinates",
    "right except where bodies lie in one plane: is a pair left out whose places have one "
    "coordinate in common? A body itself is i == j"};
const Cause rest_alone = {"rest", "right for moving bodies: those at rest are left out"};

// Its sentence names the question.
const Cause special = {"special_case"};

// --- how a scene is changed ---------------------------------------------------------------------

// The first body is so heavy and slow that in float it does not move.
void put_a_sun(Scene& scene) {
  Bodies<double>& b = scene.bodies;
  for (std::size_t i = 1; i < b.size(); ++i) b.mass[i] *= 0x1p-30;
  for (auto* v : {&b.vx, &b.vy, &b.vz}) v->front() *= 0x1p-40;
}

// Body i by times(i).
template <typename Times>
void speed_up(Scene& scene, const Times& times) {
  for (auto* v : {&scene.bodies.vx, &scene.bodies.vy, &scene.bodies.vz}) {
    for (std::size_t i = 0; i < v->size(); ++i) (*v)[i] = rounded_to_float((*v)[i] * times(i));
  }
}

// It is out of reach.
void without_floor(Scene& scene) { scene.setting.dt_floor = scene.setting.dt * 0x1p-40; }

// On so many threads, every body in turn is a new smallest step, and all threads find theirs at
// the same time: one that looks before another one writes shows.
auto racing(unsigned among) {
  return [among](Scene& scene) {
    without_floor(scene);
    const std::size_t part = (scene.bodies.size() + among - 1) / among;
    speed_up(scene, [part](std::size_t i) {
      return std::pow(1000, static_cast<double>(i % part) / static_cast<double>(part));
    });
  };
}

// Whether a run forgives: with all forces wrong by a float's tolerance it ends a tenth of the limit
// away, or less. One in 400 flights meets a body so closely that rounding alone leads elsewhere.
bool forgives(const Case& test) {
  Request other = test.request;
  other.setting.G *= 1 + tolerances().front().force;
  const double digits = tolerances().front().digits;
  return miss_of(reference_run(other).end, test.run(), digits) <= path_limit / 10;
}

// The cases of a seed as they are drawn.
class CaseList {
 public:
  explicit CaseList(const Extent& extent) : extent_(extent), draw_(extent) {}

  std::vector<Case> made() {
    ask_forces();
    ask_steps();
    ask_adaptive_steps();
    for (const Question& question : {kicks, jerk}) ask(question, draw_.sizes());
    extent_.ranks > 0 ? ask_on_ranks() : ask_on_threads();
    ask_other_blocks();
    ask_many_bodies();
    for (std::size_t k = cases_.size(); k > 1; --k) {
      std::swap(cases_[k - 1], cases_[between(0, k - 1)]);
    }
    ask_relations();
    put_in_order();
    return std::move(cases_);
  }

 private:
  std::size_t between(std::size_t first, std::size_t last) { return draw_.between(first, last); }
  bool in_float() const { return !extent_.in_double; }

  // The loop over the table.
  void ask(const Question& question, const Sizes& sizes) {
    for (const std::size_t n : sizes) {
      Case test = made(question, n);
      while (question.must_forgive && !forgives(test)) test = made(question, n);
      if (question.times > 1) test.reference();  // once for all copies
      cases_.insert(cases_.end(), question.times, test);
    }
  }

  void ask_special(Question question, const std::vector<Special>& rows) {
    for (const Special& row : rows) {
      question.what = row.what;
      question.steps = row.steps;
      question.change = row.change;
      question.alone = row.alone;
      if (is(row.alone, special.mistake)) {
        question.alone.sentence = fmt::format("right except in special cases: {}", row.what);
      }
      ask(question, row.sizes);
    }
  }

  Case made(const Question& q, std::size_t n) {
    const bool adaptive = q.length == Length::either ? draw_.one_in(2) : q.length != Length::fixed;
    Scene scene = adaptive && !q.scene ? draw_.adaptive_scene(n) : draw_.scene(q.scene, n);
    if (q.change) q.change(scene);
    // On the lattice of many, none is near another.
    if (q.softened && n <= sampled_from) soften_encounters(scene);
    const std::uint64_t steps = q.steps > 0 ? q.steps : steps_of(q.how, n);
    if (q.how == How::run && !adaptive) {
      scene.setting.dt = rounded_to_float(scene.setting.dt * q.time / static_cast<double>(steps));
    }
    Case test = case_of(q.group, fmt::format(fmt::runtime(q.what), steps), scene);
    Request& request = test.request;
    Setting& setting = request.setting;
    test.rows = draw_.rows(request.bodies);
    test.alone = q.alone;
    test.ranks = q.ranks;
    test.block = q.block;
    request.threads = q.threads;
    request.steps = steps;
    request.every_state = q.how == How::single_steps || q.how == How::kicks;
    request.jerk = q.how == How::jerk;
    // After steps of many bodies they would cost as much as one more.
    request.accelerations = q.accelerations && (steps == 0 || n <= sampled_from);
    // The two orders in which a step can call them. Of many bodies only some are compared, which
    // tells nothing about pulls after a kick.
    if (q.how == How::kicks)
      setting.integrator = n > sampled_from || draw_.one_in(2) ? "dkd" : "kdk";
    request.adaptive = adaptive;
    if (adaptive) {
      draw_lengths(test);
    } else if (q.how == How::single_steps && draw_.one_in(2)) {
      setting.dt_floor = 2 * setting.dt;  // it is for adaptive steps only
    }
    if (adaptive) test.what += setting.dt_floor > 0 ? ", adaptive with a floor" : ", adaptive";
    for (const auto& [name, number] :
         {std::pair("threads", q.threads), {"ranks", q.ranks}, {"block", q.block}}) {
      if (number > 0) test.what += fmt::format(", {} {}", name, number);
    }
    return test;
  }

  // Large ones cost, few bodies do not.
  std::uint64_t steps_of(How how, std::size_t n) {
    if (how == How::forces || how == How::jerk) return 0;
    if (how == How::run) return between(2, n > long_steps ? 2 : n > short_runs ? 4 : 9);
    return n > long_steps ? 1 : n > short_runs ? 2 : 3;
  }

  // The fixed dt is on either side of the adaptive one; the floor is out of reach, or always or
  // sometimes reached, unless the scene has one.
  void draw_lengths(Case& test) {
    Setting& setting = test.request.setting;
    const double first =
        reference_time_step(test.request.bodies, test.reference().acceleration, test.rows);
    const double dt = first > 0 && first < 1e300 ? first : setting.dt;
    setting.dt = draw_.digits_of(dt * (draw_.one_in(2) ? 8 : 0.125));
    const std::size_t kind = between(0, 3);
    if (setting.dt_floor == 0 && kind < 2)
      setting.dt_floor = draw_.digits_of(dt * (kind == 0 ? 1.5 : 0.5));
  }

  // --- the table: questions and sizes

  void ask_forces() {
    Question some = forces;
    const Sizes all = draw_.sizes();
    for (const CheckScene kind : check_scenes) {
      const bool giant = kind == heavy_tail || kind == giant_at_edge;
      Sizes sizes;
      for (const std::size_t n : all) {
        const bool middling = n > short_runs && n <= 512;
        if (kind != equal_masses && (n >= 1000 || (middling && !draw_.one_in(3)))) continue;
        // A giant among many shows digits that are missing in its pull, but not in all units.
        sizes.insert(sizes.end(), giant && n > 512 ? 3 : 1, n);
      }
      some.what = name_of(kind);
      some.scene = kind;
      some.alone = kind == clustered ? close_pairs_alone : kind == flat ? flat_alone : Cause();
      ask(some, sizes);
    }
    // As bench times it, few pulls are large; but without softening, which has cases of its own.
    some.scene = star_cluster;
    Sizes sizes = {between(130, 2100)};
    if (in_float()) {
      sizes = {between(130, 900), between(1000, 1100), between(1500, 2100),
               between(33'000, 40'000)};
    }
    const Change unsoftened = [](Scene& scene) { scene.setting.softening = 0; };
    ask_special(some, {{"star cluster", 0, sizes, unsoftened, close_pairs_alone}});
    some.group = Group::exact_cases;
    some.scene = equal_masses;
    for (const FewBodies& few : few_bodies()) {
      const Change crowd = [&](Scene& made) {
        made = in_a_crowd(few, made.bodies.size(), draw_.seed());
      };
      const std::size_t n = few.bodies.size();
      ask_special(some, {{few.name, 0, {n}, crowd, few.alone}});
      if (n == 1) continue;
      ask_special(some,
                  {{few.name, 0, {n + between(63, 79), n + between(130, 600)}, crowd, few.alone}});
      // The jerk of pairs that are light, close or softened may leave them out, too.
      ask_special(jerk, {{few.name, 0, {n + between(63, 300)}, crowd, special}});
    }
  }

  void ask_steps() {
    ask(single_steps, draw_.sizes());
    ask(run, draw_.sizes());
    const auto some = [&] { return between(20, 60); };
    // As the Sun does in many a data set, where loops lose bodies.
    const Change stop_one = [&](Scene& scene) {
      stop(scene.bodies, draw_.one_in(2) ? 0 : scene.bodies.size() - 1);
    };
    ask_special(single_steps,
                {{"{} single steps", 20, {2}},
                 {"{} single steps", 50, {between(30, 40)}},
                 {"one step from rest", 1, {some(), some(), some()}, stop_all, rest_alone},
                 {"a body at rest", 3, {some(), some(), between(130, 300)}, stop_one, rest_alone},
                 // What was computed before is kept as long as the first body does not move.
                 {"a first body so heavy that it stays", 3, {some(), some()}, put_a_sun, special}});
    const Change no_time = [](Scene& scene) { scene.setting.dt = 0; };
    const Sizes of_no_time = {2, between(20, 40), between(200, 300)};
    ask_special(run, {{"no time passes", 1, of_no_time, no_time, special}});
    // A program that knows what is timed must not step otherwise there. One step: in the core of
    // the cluster, rounding the answered state would decide the next.
    for (Question cluster : {single_steps, adaptive_steps}) {
      cluster.scene = star_cluster;
      cluster.softened = cluster.accelerations = false;
      cluster.threads = extent_.ranks > 0 ? 0 : 1;
      ask_special(
          cluster,
          {{"the star cluster that ./lab bench times", 1, {between(900, 2100)}, {}, special}});
    }
    // One more integrator, which starts from accelerations and jerk.
    Question hermite = single_steps;
    hermite.group = Group::integrators;
    hermite.length = Length::either;
    ask_special(hermite, {{"{} steps of hermite4", 0, {some(), between(90, 130)}, [](Scene& scene) {
                             scene.setting.integrator = "hermite4";
                           }}});
    if (in_float()) ask_long_runs();
  }

  void ask_long_runs() {
    // What is only done every 16th, 32nd or 64th time: sorting anew, old forces. In longer steps
    // some meet so closely that rounding decides.
    ask_special(single_steps,
                {{"{} single steps", between(66, 80), {between(260, 600)}, [](Scene& scene) {
                    scene.setting.dt /= 8;
                  }}});
    // So long that stale forces lead elsewhere, too; which scenes allow that is tried.
    Question long_run = run;
    long_run.time *= 4;
    long_run.must_forgive = true;
    // Round numbers, which people type. A CUDA graph may make, for example, 64 steps at a time: two
    // such batches, and some more. And enough that a counter of eight bits wraps around.
    for (const std::size_t steps : Sizes{100, 128 + between(1, 40), 128 + between(1, 40),
                                         128 + between(1, 40), 1000, 1000 + between(1, 20)}) {
      long_run.steps = steps;
      ask(long_run, {between(30, 40)});
    }
    if (extent_.ranks > 0) return;  // processes are slow to step
    long_run.steps = between(1025, 3000);
    ask(long_run, {between(2, 4)});
    // A counter of sixteen bits wraps around, too. Such short steps are mostly rounding, which is
    // tolerated; steps that are lost are not. On one thread, since to wake others takes longer.
    long_run.steps = very_many_steps + between(0, 500);
    long_run.must_forgive = long_run.accelerations = false;
    long_run.threads = 1;
    ask(long_run, {2});
  }

  void ask_adaptive_steps() {
    ask(adaptive_steps, draw_.sizes());
    ask(adaptive_run, draw_.sizes());
    // As in a run: one light body flies straight through all the others, and the step keeps
    // changing.
    Question flight = adaptive_run;
    flight.scene = heavy_tail;
    flight.change = [](Scene& scene) {
      put_flier(scene, scene.bodies.size() / 2, scene.bodies.size() / 2);
    };
    flight.softened = flight.accelerations = false;
    flight.must_forgive = true;
    for (int k = 0; k < 6 && in_float(); ++k) {
      flight.steps = 128 + between(1, 40);
      ask(flight, {between(30, 40)});
    }

    Question steps = adaptive_steps;
    steps.scene = equal_masses;
    const auto few = [&] { return Sizes{2, between(20, 60), between(20, 60)}; };
    // One alone, and others where loops over whole vectors meet both.
    const auto three = [&] { return Sizes{3, between(40, 80), between(130, 400)}; };
    const auto two = [&] { return Sizes{2, between(20, 60), between(130, 300)}; };
    const auto faster = [](double times) {
      return [times](Scene& scene) { speed_up(scene, [=](std::size_t) { return times; }); };
    };
    const Change without_pull = [](Scene& scene) { scene.setting.G = 0; };
    // Not the last body, whose step comes last in many a search for the smallest.
    const Change at_one_place = [&](Scene& scene) {
      const std::size_t n = scene.bodies.size(), one = between(0, n - 2);
      soften_encounters(scene);
      bring_near(scene, one, (one + between(1, n - 2)) % (n - 1), 0);
      // Far below the step of the others, which must not decide.
      scene.setting.dt_floor = scene.setting.dt / 512;
    };
    const Change at_rest_there = [&](Scene& scene) {
      at_one_place(scene);
      stop_all(scene);
    };
    // r^2 + eps^2 - eps^2 has none of the digits of r^2.
    const Change far_nearer = [&](Scene& scene) {
      const std::size_t one = between(0, scene.bodies.size() - 1);
      scene.setting.softening = draw_.digits_of(smallest_distance(scene.bodies));
      bring_near(scene, one, nearest_to(scene.bodies, one), 1.0 / 256);
      without_floor(scene);
    };
    ask_special(
        steps,
        {// Where the textbook root of Eq. 6 fails: with a D far below v^2 its difference
         // cancels, since 0.2 a D / v^2 is about 1 / speed^2. And the opposite case: from
         // rest only a D counts.
         {"{} steps of fast bodies", 0, few(), faster(1e3)},
         {"{} steps without any pull: a = 0", 0, few(), without_pull},
         {"bodies at rest", 0, few(), stop_all, special},
         // v^4 is beyond float's range, v^2 is not.
         {"very fast bodies", 1, few(), faster(1e10), special},
         // Where Eq. 7 is 0/0, too.
         {"two softened bodies at one place", 1, three(), at_one_place, special},
         {"two softened bodies at one place, at rest", 1, three(), at_rest_there, special}});
    // So near that the answered places have too few digits for the pulls there.
    steps.accelerations = false;
    ask_special(steps, {{"a neighbour within the softening", 1, two(), far_nearer, special}});
  }

  // The other body comes so near, as a share of its distance.
  void bring_near(Scene& scene, std::size_t one, std::size_t other, double share) {
    for (auto* q : {&scene.bodies.qx, &scene.bodies.qy, &scene.bodies.qz}) {
      (*q)[other] = draw_.digits_of((*q)[one] + ((*q)[other] - (*q)[one]) * share);
    }
  }

  // --- the same on threads, on ranks, in other blocks, and of many bodies

  void share(Question question, const Sizes& sizes, unsigned among) {
    const bool on_ranks = extent_.ranks > 0;
    question.group = on_ranks ? Group::ranks : Group::threads;
    (on_ranks ? question.ranks : question.threads) = among;
    // No giant hides a body that nobody took.
    if (question.how == How::forces) question.scene = equal_masses;
    ask(question, sizes);
  }

  // Some multiple of a width, and a rest.
  std::size_t with_rest(std::size_t width, std::size_t fewest, std::size_t most) {
    return width * between(fewest, most) + between(1, std::max<std::size_t>(1, width - 1));
  }

  void ask_on_threads() {
    std::vector<unsigned> numbers = {2, static_cast<unsigned>(between(3, 8))};
    if (in_float()) numbers = {2, 3, 4, 5, 6, 7, 8, static_cast<unsigned>(between(9, 72))};
    for (const unsigned among : numbers) {
      // Fewer bodies than threads, as many, a multiple, and a rest.
      const std::size_t most = among > 8 ? 10 : 40;
      Sizes sizes = {among, among * between(2, most), with_rest(among, 2, most)};
      if (among > 2) sizes.push_back(between(2, among - 1));
      for (const Question& question : aspects) share(question, sizes, among);
    }
    if (!in_float()) return;
    // The same bodies several times: a race shows as an answer that is wrong now and then.
    Question again = forces;
    again.times = 3;
    for (const unsigned among : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 24u}) {
      share(again, {between(600, 640)}, among);
    }
    for (Question race : {adaptive_steps, adaptive_run}) {
      const bool in_one_go = race.how == How::run;
      race.what = "{} steps with a race for the smallest";
      race.scene = equal_masses;
      race.steps = in_one_go ? 2 : 16;
      race.times = 3;
      for (const unsigned among : {2u, 3u, 4u, 8u}) {
        race.change = racing(among);
        share(race, {among * (in_one_go ? between(50, 60) : between(16, 24))}, among);
      }
    }
  }

  // Fewer bodies than ranks, not a multiple of them, and enough that a message exceeds what a
  // library sends eagerly (64 KiB with MPICH).
  void ask_on_ranks() {
    if (!in_float()) return;
    for (unsigned among = 1; among <= 8; ++among) {
      if (among == extent_.ranks) continue;
      // Up to as many bodies as ranks, and a rest: processes are slow to ask.
      const Sizes sizes = {between(std::min(2u, among), among), with_rest(among, 2, 40)};
      for (const Question& question : aspects) share(question, sizes, among);
      share(single_steps, {between(1000, 1040)}, among);
    }
    // More processes than many a machine has cores take turns: few requests of few bodies.
    const auto more = static_cast<unsigned>(between(9, 12));
    const Sizes few = {with_rest(more, 2, 8)};
    for (const Question& question : {forces, single_steps, run}) share(question, few, more);
    for (const unsigned among : {2u, 3u}) share(single_steps, {20'000 + between(1, 20)}, among);
  }

  // Kernels that are right for the default block only.
  void ask_other_blocks() {
    for (unsigned block : {16u, 64u, 128u, 512u}) {
      if (!in_float()) return;
      const std::size_t blocks = block < 64 ? 70 : 1;  // narrow blocks are many blocks
      Question with_block = forces;
      with_block.group = Group::threads;
      with_block.scene = equal_masses;
      with_block.block = block;
      ask(with_block,
          {block * between(1, 2), between(2, block - 1), with_rest(block, blocks, blocks + 1)});
      with_block.how = How::run;
      with_block.softened = true;
      ask_special(with_block, {{"{} steps in one go", 3, {block + 1u}}});
    }
  }

  // Above what arrays, tiles and indices of a first version may hold. A sum over all their pairs
  // takes a slow program more than half a second, so one question shows several aspects: a step by
  // kick and drift also the forces, an adaptive one these, the search and the update.
  void ask_many_bodies() {
    if (!in_float()) {  // the same code runs
      if (draw_.one_in(2)) ask_of_many(forces, draw_.thousands());
      return;
    }
    const bool by_kicks = draw_.one_in(2);
    if (extent_.thorough) {
      for (const Question& each : aspects) ask_of_many(each, between((1 << 14) + 1, many_to));
    } else if (by_kicks) {  // rather few of the many: each costs
      ask_of_many(kicks, std::min(between(many_from, many_to), between(many_from, many_to)));
    } else {
      ask_of_many(draw_.one_in(3) ? jerk : adaptive_steps, between(many_from, many_from + 500));
    }
    ask_of_many(by_kicks ? (draw_.one_in(2) ? forces : single_steps) : kicks, draw_.thousands());
    ask_of_many(adaptive_steps, between(4100, 4400));
    // A step that is kept from the one before.
    ask_of_many(adaptive_run, between(2700, 3100));
    // Forces of so many have a case of their own.
    ask_of_many(single_steps, between(very_many_from, very_many_from + 3000));
  }

  // Of which only some are compared. The reference moves the others without a pull, which is right
  // for a short time.
  void ask_of_many(Question question, std::size_t n) {
    if (question.length == Length::either) question.length = Length::fixed;
    if (question.length == Length::adaptive) question.change = without_floor;
    question.time /= 64;
    if (question.how == How::single_steps) question.steps = 1;
    ask(question, {n});
  }

  // One crowd, one after the other: an answer that is remembered by the number, the places or the
  // masses of bodies shows.
  void ask_relations() {
    Question again = forces;
    again.group = Group::exact_cases;
    const Scene crowd = draw_.scene(heavy_tail, between(70, short_runs));
    const Sizes same = {crowd.bodies.size()};
    const Change as_it_is = [&](Scene& scene) { scene = crowd; };
    const Change heavier = [&](Scene& scene) {
      scene = crowd;
      for (double& mass : scene.bodies.mass) mass *= 2;
    };
    const Change mirrored = [&](Scene& scene) {
      scene = crowd;
      for (double& x : scene.bodies.qx) x = -x;
    };
    ask_special(again, {{"a crowd", 0, same, as_it_is},
                        {"twice the masses, twice the pull", 0, same, heavier},
                        {"mirrored", 0, same, mirrored}});
  }

  // Families in order of dependence, and what takes long after all of them. Programs start anew for
  // each block and each number of ranks.
  void put_in_order() {
    std::erase_if(cases_, [&](const Case& test) {
      return extent_.largest_n > 0 && test.n() > extent_.largest_n;
    });
    // The first request is a drawn one of some size: memory that is read before it is written shows
    // before anything has been written there.
    const auto first = std::ranges::find_if(cases_, [](const Case& test) {
      return test.n() > 30 && test.n() < 600 && test.block == 0 && test.group < Group::threads &&
             test.group != Group::exact_cases;
    });
    const bool found = first != cases_.end();
    if (found) std::rotate(cases_.begin(), first, first + 1);
    std::stable_sort(cases_.begin() + found, cases_.end(), [](const Case& a, const Case& b) {
      const auto place = [](const Case& test) {
        const bool is_long = test.n() > sampled_from || test.request.steps >= very_many_steps;
        return std::tuple(test.block, test.ranks, test.n() >= very_many_from, is_long, test.group);
      };
      return place(a) < place(b);
    });
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
  if (!ran) ran = std::make_shared<const Run>(reference_run(request, {}, rows));
  return *ran;
}

Case case_of(Group group, std::string what, const Scene& scene) {
  Case test{group, std::move(what), {}, {}};
  test.request.bodies = scene.bodies;
  test.request.setting = scene.setting;
  return test;
}

std::vector<Case> make_cases(const Extent& extent) { return CaseList(extent).made(); }

}  // namespace nbody::check
