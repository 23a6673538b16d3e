#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "check/case.hpp"
#include "check/check_scenes.hpp"
#include "check/judge.hpp"
#include "core/conserved.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

// What is asked is drawn, not listed: a list of sizes finds the mistakes that its author thought
// of. Every aspect of a simulator meets sizes of the same kinds, so that a tail that is lost in
// kick() is as visible as one that is lost in the forces.

namespace nbody::check {
namespace {

using Sizes = std::vector<std::size_t>;
using enum CheckScene;

constexpr std::size_t short_runs = 130;   // up to here, more steps cost nothing
constexpr std::size_t long_steps = 1024;  // from here on, each costs

enum class How { forces, single_steps, run, kicks };

enum class Length { fixed, adaptive, either };

using Change = std::function<void(Scene&)>;

// What is asked; of how many bodies stands beside it in the table.
struct Question {
  Group group;
  std::string what;  // {}: the number of steps
  How how;
  Length length = Length::fixed;
  std::optional<CheckScene> scene = {};  // none: the next in turn
  Change change = {};                    // what is special about it
  std::uint64_t steps = 0;               // 0: few of large ones, else some
  double time = 0.625;  // of a run of fixed steps, in steps of its scene: too short for encounters,
                        // which turn a thousandth of a force into a tenth of the path
  bool accelerations = true;  // those in the end
  bool must_forgive = false;  // rounding does not lead elsewhere
  unsigned threads = 0, ranks = 0, block = 0;
  Cause alone = {};  // what is wrong if all that fails has it
};

// What a simulator can be asked. All sizes, threads and ranks, and many bodies meet each.
const Question forces = {Group::forces, "forces", How::forces};
const Question single_steps = {Group::steps, "{} single steps", How::single_steps};
const Question run = {Group::steps, "{} steps in one go", How::run};
const Question adaptive_steps = {Group::adaptive_step, "{} single steps", How::single_steps,
                                 Length::adaptive};
const Question adaptive_run = {Group::adaptive_step, "{} steps in one go", How::run,
                               Length::adaptive};
const Question kicks = {Group::integrators, "{} steps by kick and drift", How::kicks,
                        Length::either};
const Question aspects[] = {forces, single_steps, run, adaptive_steps, kicks, adaptive_run};

const Cause close_pairs = {
    "close_pairs",
    "right except for close pairs: is their distance or their pull limited? Or are digits "
    "lost (too few Newton steps, r^2 from |a|^2 + |b|^2 - 2 a.b, positions that are moved first)? "
    "Take differences of the positions as they are"};
const Cause equal_coordinates = {
    "equal_coordinates",
    "right except where bodies lie in one plane or on one line: is a pair left out whose places "
    "have one or two coordinates in common? A body itself is i == j"};
const Cause rest = {"rest", "right for moving bodies: those at rest are left out"};

Cause special(const char* what) {
  return {"special_case", fmt::format("right except in special cases: {}", what)};
}

// Body i by times(i).
template <typename Times>
void speed_up(Scene& scene, const Times& times) {
  for (auto* v : {&scene.bodies.vx, &scene.bodies.vy, &scene.bodies.vz}) {
    for (std::size_t i = 0; i < v->size(); ++i) (*v)[i] = rounded_to_float((*v)[i] * times(i));
  }
}

Change faster(double times) {
  return [times](Scene& scene) { speed_up(scene, [=](std::size_t) { return times; }); };
}

// It is out of reach.
void without_floor(Scene& scene) { scene.setting.dt_floor = scene.setting.dt * 0x1p-40; }

// Two bodies for whose pulls mistakes have cases of their own, at the origin and anywhere in
// memory.
struct Pair {
  const char* name;
  double distance, softening, mass;  // the smallest distance and the mass of the others are 1
  Cause alone = {};                  // what is wrong if everything else about forces is right
};
const Cause small_softening = {
    "small_softening",
    "softening is ignored where it is small beside the distances of most bodies"};
const Cause light_bodies = {
    "light_bodies", "right for other masses: light bodies are left out, or fall below a guard"};
// 1/d^6 leaves float's range, 1/d^3 does not. 0 / eps^3 is nothing, and not 0/0. A light pair
// mostly feels itself.
constexpr double close = 0x1p-24, small = 0x1p-8;
const Pair at_one_place = {"softened bodies at one place", 0, 1, 1};
const Pair pairs[] = {{"softened pair in a wide world", small, small, 1, small_softening},
                      at_one_place,
                      {"close pair in a wide world", close, 0, 1, close_pairs},
                      {"light pair beside heavy bodies", close, 0, 0x1p-40, light_bodies}};

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
  explicit CaseList(const Extent& extent)
      : extent_(extent), random_(extent.seed * 2 + (extent.in_double ? 1 : 0)) {}

  std::vector<Case> made() {
    ask_forces();
    ask_steps();
    ask_adaptive_steps();
    ask(kicks, sizes());
    extent_.ranks > 0 ? ask_on_ranks() : ask_on_threads();
    ask_other_blocks();
    ask_many_bodies();
    for (std::size_t k = cases_.size(); k > 1; --k) {
      std::swap(cases_[k - 1], cases_[between(0, k - 1)]);
    }
    put_in_order();
    return std::move(cases_);
  }

 private:
  std::size_t between(std::size_t first, std::size_t last) {
    return first + static_cast<std::size_t>(random_.bits() % (last - first + 1));
  }
  bool one_in(std::size_t k) { return between(1, k) == 1; }
  std::size_t one_of(std::initializer_list<std::size_t> list) {
    return list.begin()[between(0, list.size() - 1)];
  }

  // Numbers of bodies: all small ones, every remainder of 2 to 16, the multiples of what loops,
  // tiles and blocks are wide, with their neighbours, the round ones that people type, and above a
  // thousand.
  Sizes sizes() {
    constexpr std::size_t all_up_to = 17;
    Sizes sizes(all_up_to + 16);
    std::iota(sizes.begin(), sizes.begin() + all_up_to, std::size_t{1});
    std::iota(sizes.begin() + all_up_to, sizes.end(), between(all_up_to + 1, 100));
    for (const std::size_t width : {24, 32, 48, 64, 96, 100, 128, 256}) {
      const std::size_t most = extent_.in_double ? 256 : 512, rest = between(2, width - 2);
      const std::size_t multiple = width * between(1, most / width);
      sizes.insert(sizes.end(), {multiple - 1, multiple, multiple + 1, multiple + rest});
    }
    const std::size_t above =
        one_of({between(1025, 2100), 256 * between(5, 8), 500 * between(3, 4)});
    sizes.push_back(between(513, 999));
    if (!extent_.in_double) sizes.insert(sizes.end(), {1000, above});
    return sizes;
  }

  // Some multiple of a width, and a rest.
  std::size_t with_rest(std::size_t width, std::size_t fewest, std::size_t most) {
    return width * between(fewest, most) + between(1, std::max<std::size_t>(1, width - 1));
  }

  // Of these bodies, those that are compared: all; of many, those at both ends, where loops lose
  // them, with their neighbours, where a lost one shows most, and some at random.
  std::vector<std::size_t> rows(const Bodies<double>& bodies) {
    const std::size_t n = bodies.size();
    if (n <= sampled_from) return all_rows(n);
    std::set<std::size_t> rows;
    for (std::size_t k = 0; k < 16; ++k) rows.insert({k, n - 1 - k});
    for (const std::size_t width : {64, 256, 1024}) rows.insert(n / width * width - 1);
    for (const std::size_t i : Sizes(rows.begin(), rows.end())) rows.insert(nearest_to(bodies, i));
    while (rows.size() < 160) rows.insert(between(0, n - 1));
    return {rows.begin(), rows.end()};
  }

  // Each call takes the next of the three unit systems; without a kind, each third call the next
  // kind of scene.
  Scene scene(std::optional<CheckScene> kind, std::size_t n) {
    // A sum of thousands of terms of very different sizes loses too many digits.
    const auto next =
        n > 1024 ? equal_masses : check_scenes[turn_ / 3 % std::size(check_scenes)].first;
    Scene made = make_check_scene(kind.value_or(next), n, (random_.bits() >> 20) * 3 + turn_ % 3);
    ++turn_;
    if (!extent_.all_digits) return made;
    const auto fill = [&](double& value) { value *= 1 + random_.uniform() * 0x1p-25; };
    for (std::vector<double>* column : made.bodies.columns()) std::ranges::for_each(*column, fill);
    fill(made.setting.softening);
    fill(made.setting.dt);
    return made;
  }

  // The body that decides the adaptive step, or its neighbour, is where loops lose bodies; in every
  // third scene of few bodies it is any body.
  Scene adaptive_scene(std::size_t n) {
    Scene made = scene({}, n);
    if (n < 2 || (n <= sampled_from && one_in(3))) return made;
    const std::size_t last = n - 1, any = between(0, last);
    const std::size_t near_end = last - between(0, std::min<std::size_t>(7, last));
    // Of many, one that is compared.
    put_flier(made, n > sampled_from ? near_end : one_of({any, 0, last, near_end}),
              one_of({any, last, near_end}));
    return made;
  }

  void put_pair(Scene& scene, const Pair& pair) {
    Bodies<double>& b = scene.bodies;
    const double unit = rounded_to_float(smallest_distance(b));
    const std::size_t one = between(0, b.size() - 2), other = between(one + 1, b.size() - 1);
    for (const std::size_t i : {one, other}) {
      b.qx[i] = (i == one ? -0.5 : 0.5) * pair.distance * unit;
      b.qy[i] = b.qz[i] = 0;
      b.mass[i] *= pair.mass;
    }
    scene.setting.softening = pair.softening * unit;
  }

  void ask(const Question& question, const Sizes& sizes) {
    for (const std::size_t n : sizes) {
      Case test = made(question, n);
      while (question.must_forgive && !forgives(test)) test = made(question, n);
      cases_.push_back(std::move(test));
    }
  }

  Case made(const Question& q, std::size_t n) {
    const bool adaptive = q.length == Length::either ? one_in(2) : q.length != Length::fixed;
    const bool in_steps = q.how != How::forces;
    Scene scene = adaptive && !q.scene ? adaptive_scene(n) : this->scene(q.scene, n);
    if (q.change) q.change(scene);
    // On the lattice of many, none is near another. Adaptive single steps meet encounters as they
    // are: each is judged from where it began, and is short.
    if (in_steps && n <= sampled_from && !(adaptive && q.how == How::single_steps)) {
      soften_encounters(scene);
    }
    // Large ones cost, few bodies do not.
    const std::uint64_t few = n > long_steps ? 1 : n > short_runs ? 2 : 3;
    std::uint64_t steps = q.steps;
    if (steps == 0 && in_steps) {
      steps = q.how != How::run ? few : few < 3 ? 2 * few : between(2, 9);
    }
    if (q.how == How::run && !adaptive) {
      scene.setting.dt = rounded_to_float(scene.setting.dt * q.time / static_cast<double>(steps));
    }
    Case test = case_of(q.group, fmt::format(fmt::runtime(q.what), steps), scene);
    Request& request = test.request;
    Setting& setting = request.setting;
    test.rows = rows(request.bodies);
    test.alone = q.alone;
    test.ranks = q.ranks;
    test.block = q.block;
    request.threads = q.threads;
    request.steps = steps;
    request.every_state = q.how == How::single_steps || q.how == How::kicks;
    // After steps of many bodies they would cost as much as one more.
    request.accelerations = q.accelerations && (steps == 0 || n <= sampled_from);
    // The two orders in which a step can call them. Of many bodies only some are compared, which
    // tells nothing about pulls after a kick.
    if (q.how == How::kicks) setting.integrator = n > sampled_from || one_in(2) ? "dkd" : "kdk";
    request.adaptive = adaptive;
    if (adaptive) {
      draw_lengths(test);
      test.what += setting.dt_floor > 0 ? ", adaptive with a floor" : ", adaptive";
    } else if (q.how == How::single_steps && one_in(2)) {
      setting.dt_floor = 2 * setting.dt;  // it is for adaptive steps only
    }
    for (const auto& [name, number] :
         {std::pair("threads", q.threads), {"ranks", q.ranks}, {"block", q.block}}) {
      if (number > 0) test.what += fmt::format(", {} {}", name, number);
    }
    return test;
  }

  // The fixed dt is on either side of the adaptive one; the floor is out of reach, or always or
  // sometimes reached, unless the scene has one.
  void draw_lengths(Case& test) {
    Setting& setting = test.request.setting;
    const double first =
        reference_time_step(test.request.bodies, test.reference().acceleration, test.rows);
    const double dt = first > 0 && first < 1e300 ? first : setting.dt;
    setting.dt = dt * (one_in(2) ? 8 : 0.125);
    const std::size_t kind = between(0, 3);
    if (setting.dt_floor == 0 && kind < 2) setting.dt_floor = dt * (kind == 0 ? 1.5 : 0.5);
  }

  // The same question where something is special.
  void ask_special(Question question, const char* what, const Sizes& sizes, const Change& change,
                   const Cause& alone = {}, std::uint64_t steps = 0) {
    question.what = what;
    question.change = change;
    question.alone = alone;
    question.steps = steps;
    ask(question, sizes);
  }

  // --- the table: questions and sizes

  void ask_forces() {
    Question some = forces;
    const Sizes all = sizes();
    for (const auto& [kind, name] : check_scenes) {
      Sizes sizes;
      for (const std::size_t n : all) {
        const bool middling = n > short_runs && n <= 512;
        if (kind != equal_masses && (n >= 1000 || (middling && !one_in(3)))) continue;
        // A giant among many shows digits that are missing in its pull, but not in all units.
        sizes.insert(sizes.end(), kind == heavy_tail && n > 512 ? 3 : 1, n);
      }
      some.scene = kind;
      ask_special(some, name, sizes, {}, kind == flat ? equal_coordinates : Cause());
    }
    // Along each axis.
    some.scene = line;
    for (const std::size_t axis : {0, 1, 2}) {
      const Change turn = [axis](Scene& scene) {
        Bodies<double>& b = scene.bodies;
        if (axis > 0) std::swap(b.qx, axis == 1 ? b.qy : b.qz);
        if (axis > 0) std::swap(b.vx, axis == 1 ? b.vy : b.vz);
      };
      ask_special(some, "line", {between(2, 16), between(20, 60), between(66, 300)}, turn,
                  equal_coordinates);
    }
    // As bench times it, few pulls are large; but without softening, which has cases of its own.
    some.scene = star_cluster;
    ask_special(
        some, "star cluster",
        {between(130, 900), between(1000, 1100), between(1500, 2100), between(33'000, 40'000)},
        [](Scene& scene) { scene.setting.softening = 0; }, close_pairs);
    some.group = Group::exact_cases;
    some.scene = equal_masses;
    // One number of bodies after the other: an answer that is remembered by it shows.
    const Sizes sizes = {3, between(66, 82), between(130, 600)};
    for (const Pair& pair : pairs) {
      const Change put = [&](Scene& scene) { put_pair(scene, pair); };
      ask_special(some, pair.name, sizes, put, pair.alone);
    }
  }

  void ask_steps() {
    ask(single_steps, sizes());
    ask(run, sizes());
    const auto some = [&] { return between(20, 60); };
    ask_special(single_steps, "bodies at rest", {some(), some(), some(), between(130, 300)},
                faster(0), rest, 1);
    if (!extent_.in_double) ask_long_runs();
  }

  void ask_long_runs() {
    // What is only done every 16th, 32nd or 64th time: sorting anew, old forces. In longer steps
    // some meet so closely that rounding decides.
    ask_special(
        single_steps, "{} single steps", {between(260, 600)},
        [](Scene& scene) { scene.setting.dt /= 8; }, {}, between(66, 80));
    ask_special(
        single_steps, "{} single steps", {between(20, 30)},
        [](Scene& scene) { scene.setting.dt /= 64; }, {}, between(510, 1030));
    // So long that stale forces lead elsewhere, too; which scenes allow that is tried.
    Question long_run = run;
    long_run.time *= 4;
    long_run.must_forgive = true;
    // As in a run, where the step keeps changing: in most a light body flies straight through all
    // the others.
    Question flight = adaptive_run;
    flight.accelerations = false;
    flight.must_forgive = true;
    // Round numbers, which people type. A CUDA graph may make, for example, 64 steps at a time: two
    // such batches, and some more. And enough that a counter of eight bits wraps around.
    for (const std::size_t steps : {100, 0, 0, 0, 1000, 1001}) {
      long_run.steps = steps > 0 ? steps : 128 + between(1, 40);
      ask(long_run, {between(30, 40)});
      flight.steps = 128 + between(1, 40);
      ask(flight, {between(30, 40)});
    }
    if (extent_.ranks > 0) return;  // processes are slow to step
    // A counter of sixteen bits wraps around, too. Such short steps are mostly rounding, which is
    // tolerated; steps that are lost are not. On one thread, since to wake others takes longer.
    long_run.steps = very_many_steps + between(0, 500);
    long_run.must_forgive = long_run.accelerations = false;
    long_run.threads = 1;
    ask(long_run, {2});
  }

  void ask_adaptive_steps() {
    ask(adaptive_steps, sizes());
    ask(adaptive_run, sizes());
    Question steps = adaptive_steps;
    steps.scene = equal_masses;
    const auto few = [&] { return Sizes{2, between(20, 60), between(20, 60)}; };
    // Where the textbook root of Eq. 6 fails: with a D far below v^2 its difference cancels, since
    // 0.2 a D / v^2 is about 1 / speed^2. And the opposite case: from rest only a D counts.
    ask_special(steps, "{} steps of fast bodies", few(), faster(1e3));
    ask_special(steps, "{} steps without any pull: a = 0", few(),
                [](Scene& scene) { scene.setting.G = 0; });
    ask_special(steps, "bodies at rest", few(), faster(0), special("bodies at rest"));
    // Where Eq. 7 is 0 / 0, too: only the floor is left.
    for (const double speed : {1, 0}) {
      ask_special(
          steps, "two softened bodies at one place", few(),
          [this, speed](Scene& scene) {
            put_pair(scene, at_one_place);
            faster(speed)(scene);
            scene.setting.dt_floor = scene.setting.dt;
          },
          special("bodies at one place"), 1);
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

  void ask_on_threads() {
    for (const std::size_t among : Sizes{2, 3, 4, 5, 6, 7, 8, between(9, 72)}) {
      // Fewer bodies than threads, as many, a multiple, and a rest.
      const std::size_t most = among > 8 ? 10 : 40;
      Sizes sizes = {among, among * between(2, most), with_rest(among, 2, most)};
      if (among > 2) sizes.push_back(between(2, among - 1));
      for (const Question& question : aspects) share(question, sizes, static_cast<unsigned>(among));
    }
    // A race shows as an answer that is wrong now and then. In a race for the smallest step every
    // body of each thread in turn is a new smallest, and all find theirs at the same time: one that
    // looks before another one writes shows.
    Question race = adaptive_run;
    race.what = "{} steps with a race for the smallest";
    race.scene = equal_masses;
    race.steps = 8;
    for (const unsigned among : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 24u}) {
      share(forces, Sizes(3, between(600, 640)), among);
      const std::size_t part = between(16, 40);
      race.change = [=](Scene& scene) {
        without_floor(scene);
        speed_up(scene, [=](std::size_t i) {
          return std::pow(1000, static_cast<double>(i % part) / static_cast<double>(part));
        });
      };
      share(race, Sizes(3, among * part), among);
    }
  }

  // Fewer bodies than ranks, not a multiple of them, and enough that a message exceeds what a
  // library sends eagerly (64 KiB with MPICH).
  void ask_on_ranks() {
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
    for (const unsigned block : {16u, 64u, 128u, 512u, 1024u}) {
      for (Question question : {forces, run}) {
        question.group = Group::threads;
        question.scene = equal_masses;
        question.block = block;
        ask(question, {between(2, block - 1), with_rest(block, 1, 1100 / block)});
      }
    }
  }

  // Above what arrays, tiles and indices of a first version may hold. A sum over all their pairs
  // takes a slow program more than half a second, so one question shows several aspects: a step by
  // kick and drift also the forces, an adaptive one these, the search and the update.
  void ask_many_bodies() {
    if (extent_.thorough) {
      for (const Question& each : aspects) ask_of_many(each, between((1 << 14) + 1, many_to));
      ask_for_long_sums();
    } else {
      ask_of_many(one_in(2) ? kicks : adaptive_steps,
                  std::max(between(many_from, many_to), between(many_from, many_to)));
    }
    const std::size_t some = one_of(
        {1000 * between(3, 6), 1024 * between(3, 6) + between(0, 3), between(sampled_from, 6500)});
    ask_of_many(std::array{forces, single_steps, kicks}[between(0, 2)], some);
    ask(kicks, {between(2200, sampled_from)});
    ask_of_many(adaptive_steps, between(4110, 4400));
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

  // A giant as heavy as all others, which comes first, makes them hard to sum: each small term is
  // rounded to its last bit.
  void ask_for_long_sums() {
    Question sums = forces;
    sums.scene = equal_masses;
    Question hard = sums;
    hard.group = Group::many_bodies;
    hard.what = "one body as heavy as the others";
    hard.alone = extent_.holds_sums
                     ? Cause{"long_sums",
                             "its sums lose more than its row promises: one long float sum, where "
                             "partial sums would keep the small terms"}
                     : Cause{"too_many",
                             "wrong with so many bodies: is an index, an array or a "
                             "sum too small for them?"};
    hard.change = [](Scene& scene) {
      scene.bodies.mass[0] *= static_cast<double>(scene.bodies.size());
    };
    for (const std::size_t n : {many_to, std::size_t{65'537}}) {
      ask(sums, {n});
      if (extent_.holds_sums) cases_.back().sums = Sums::promised;
      ask(hard, {n});
      cases_.back().sums = extent_.holds_sums ? Sums::promised : Sums::plain;
    }
  }

  // Families in order of dependence, and what takes long after all of them. Programs start anew for
  // each block and each number of ranks.
  void put_in_order() {
    std::erase_if(cases_, [&](const Case& test) {
      // In double the same code has met all of them in float.
      const bool costs = comes_late(test) || test.n() > 1000 || test.request.threads > 4;
      return (extent_.in_double && costs) ||
             (extent_.largest_n > 0 && test.n() > extent_.largest_n);
    });
    std::ranges::stable_sort(cases_, {}, [](const Case& test) {
      const bool is_long = test.n() > sampled_from || test.request.steps >= very_many_steps;
      return std::tuple(test.block, test.ranks, test.n() >= very_many_from, is_long, test.group,
                        test.group == Group::exact_cases ? test.n() : 0);
    });
  }

  const Extent& extent_;
  Random random_;
  std::uint64_t turn_ = 0;  // of scenes
  std::vector<Case> cases_;
};

}  // namespace

std::vector<std::size_t> all_rows(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

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

std::vector<Case> make_cases(const Extent& extent) { return CaseList(extent).made(); }

}  // namespace nbody::check
