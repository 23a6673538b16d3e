#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
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

enum class How { forces, single_steps, run, kicks, jerk };

enum class Length {
  fixed,
  drawn,   // adaptive; the fixed dt and the floor are on either side of it
  either,  // fixed or drawn
  scene    // adaptive, with the fixed dt and the floor of the scene
};

enum class Base { next, equal_masses, heavy_tail, star_cluster };  // next: the next one in turn

// What is asked; of how many bodies stands beside it in the table.
struct Question {
  Group group;
  const char* what;  // {}: the number of steps
  How how;
  Length length = Length::fixed;
  bool softened = false;    // so that no encounter decides
  std::uint64_t steps = 0;  // 0: few of large ones, else some
  Base base = Base::next;
  double time = 0.625;        // of a run of fixed steps, in steps of its scene
  bool accelerations = true;  // those in the end
  bool must_forgive = false;  // rounding does not lead elsewhere
  unsigned threads = 0, ranks = 0, block = 0;
  int times = 1;
};

// What a simulator can be asked. All sizes, threads and ranks, and many bodies meet each.
constexpr Question forces = {Group::forces, "forces", How::forces};
constexpr Question single_steps = {Group::steps, "{} single steps", How::single_steps,
                                   Length::fixed, true};
constexpr Question run = {Group::steps, "{} steps in one go", How::run, Length::fixed, true};
constexpr Question adaptive_steps = {Group::adaptive_step, "{} single steps", How::single_steps,
                                     Length::drawn};
constexpr Question adaptive_run = {Group::adaptive_step, "{} steps in one go", How::run,
                                   Length::drawn, true};
constexpr Question kicks = {Group::integrators, "{} steps by kick and drift", How::kicks,
                            Length::either, true};
constexpr Question jerk = {Group::jerk, "da/dt", How::jerk};
constexpr Question aspects[] = {forces, single_steps, run,         adaptive_steps,
                                kicks,  jerk,         adaptive_run};

// So long that stale forces lead elsewhere, too; which scenes allow that is tried.
constexpr double long_time = 4 * short_time;

// What is wrong if everything else about forces is right.
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
const Cause jerk_alone = {
    "jerk_of_some",
    "the jerk is right for other bodies: are light, close or softened ones left out?"};

// --- how a scene is changed ---------------------------------------------------------------------

using Change = std::function<void(Scene&)>;

void stop_all(Scene& scene) { scene = at_rest(std::move(scene)); }

// The first body is so heavy and slow that in float it does not move.
void put_a_sun(Scene& scene) {
  Bodies<double>& b = scene.bodies;
  for (std::size_t i = 1; i < b.size(); ++i) b.mass[i] *= 0x1p-30;
  for (auto* v : {&b.vx, &b.vy, &b.vz}) v->front() *= 0x1p-40;
}

Change faster(double times) {
  return [times](Scene& scene) {
    for (auto* v : {&scene.bodies.vx, &scene.bodies.vy, &scene.bodies.vz}) {
      for (double& value : *v) value = rounded_to_float(value * times);
    }
  };
}

// On so many threads, every body in turn is a new smallest step, and all threads find theirs at
// the same time: one that looks before another one writes shows.
Change racing(unsigned among) {
  return [among](Scene& scene) {
    Bodies<double>& b = scene.bodies;
    const std::size_t part = (b.size() + among - 1) / among;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double times =
          std::pow(1000, static_cast<double>(i % part) / static_cast<double>(part));
      for (auto* v : {&b.vx, &b.vy, &b.vz}) (*v)[i] = rounded_to_float((*v)[i] * times);
    }
  };
}

// The cases of a seed as they are drawn.
class CaseList {
 public:
  explicit CaseList(const Extent& extent) : extent_(extent), draw_(extent) {}

  std::vector<Case> made() {
    ask_forces();
    ask_steps();
    ask_adaptive_steps();
    ask_kicks_and_jerk();
    extent_.ranks > 0 ? ask_on_ranks() : ask_on_threads();
    ask_other_blocks();
    ask_many_bodies();
    draw_.shuffle(cases_);
    ask_relations();
    put_in_order();
    return std::move(cases_);
  }

 private:
  std::size_t between(std::size_t first, std::size_t last) { return draw_.between(first, last); }
  bool in_float() const { return !extent_.in_double; }

  // The loop over the table.
  void ask(
      const Question& question, const Sizes& sizes, const Change& change = [](Scene&) {},
      const Cause& alone = {}) {
    for (const std::size_t n : sizes) {
      Case test = made(question, n, change);
      while (question.must_forgive && !forgives(test)) test = made(question, n, change);
      test.alone = alone;
      if (question.times > 1) test.reference();  // once for all copies
      cases_.insert(cases_.end(), static_cast<std::size_t>(question.times), test);
    }
  }

  Case made(const Question& q, std::size_t n, const Change& change) {
    const bool adaptive = q.length == Length::either ? draw_.one_in(2) : q.length != Length::fixed;
    Scene scene = base_of(q, n, adaptive);
    if (q.length == Length::scene) scene.setting.dt *= 8;  // far too long for a fixed one
    change(scene);
    // On the lattice of many, none is near another.
    if (q.softened && n <= sampled_from) scene = without_encounters(std::move(scene));
    const std::uint64_t steps = q.steps > 0 ? q.steps : steps_of(q.how, n);
    Case test = q.how == How::run && !adaptive ? steps_in_one_go(std::move(scene), steps, q.time)
                                               : case_of(q.group, "", scene);
    Request& request = test.request;
    Setting& setting = request.setting;
    test.group = q.group;
    test.rows = draw_.rows(request.bodies);
    request.steps = steps;
    request.every_state = q.how == How::single_steps || q.how == How::kicks;
    request.jerk = q.how == How::jerk;
    // After steps of many bodies they would cost as much as one more.
    request.accelerations = q.accelerations && (steps == 0 || n <= sampled_from);
    request.threads = q.threads;
    test.ranks = q.ranks;
    test.block = q.block;
    // The two orders in which a step can call them. Of many bodies only some are compared, which
    // tells nothing about pulls after a kick.
    if (q.how == How::kicks)
      setting.integrator = n > sampled_from || draw_.one_in(2) ? "dkd" : "kdk";
    if (q.length == Length::scene) {
      request.adaptive = true;
    } else if (adaptive) {
      make_adaptive(test);
    } else if (q.how == How::single_steps && draw_.one_in(2)) {
      setting.dt_floor = 2 * setting.dt;  // it is for adaptive steps only
    }
    test.what = fmt::format(fmt::runtime(q.what), steps);
    if (adaptive) test.what += setting.dt_floor > 0 ? ", adaptive with a floor" : ", adaptive";
    for (const auto& [name, number] :
         {std::pair("threads", q.threads), {"ranks", q.ranks}, {"block", q.block}}) {
      if (number > 0) test.what += fmt::format(", {} {}", name, number);
    }
    return test;
  }

  Scene base_of(const Question& q, std::size_t n, bool adaptive) {
    switch (q.base) {
      case Base::star_cluster:
        return star_cluster(n, draw_.seed());
      case Base::equal_masses:
        return draw_.scene(CheckScene::equal_masses, n);
      case Base::heavy_tail:
        return draw_.scene(CheckScene::heavy_tail, n);
      default:
        return adaptive ? draw_.adaptive_scene(n) : draw_.scene(n);
    }
  }

  // Large ones cost, few bodies do not.
  std::uint64_t steps_of(How how, std::size_t n) {
    if (how == How::forces || how == How::jerk) return 0;
    if (how == How::run) return between(2, n > long_steps ? 2 : n > short_runs ? 4 : 9);
    return n > long_steps ? 1 : n > short_runs ? 2 : 3;
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
    if (kind < 2) setting.dt_floor = draw_.digits_of(dt * (kind == 0 ? 1.5 : 0.5));
  }

  // --- the table: questions, sizes, what is special about the scene, and what is wrong if it fails
  // alone

  void ask_forces() {
    const Sizes all = draw_.sizes();
    for (const CheckScene kind : check_scenes) {
      const bool giant = kind == CheckScene::heavy_tail || kind == CheckScene::giant_at_edge;
      Sizes sizes;
      for (const std::size_t n : all) {
        const bool some = n > short_runs && n <= 512;
        if (kind != CheckScene::equal_masses && (n >= 1000 || (some && !draw_.one_in(3)))) continue;
        // A giant among many shows digits that are missing in its pull, but not in all units.
        sizes.insert(sizes.end(), giant && n > 512 ? 3 : 1, n);
      }
      Question one = forces;
      const std::string name = name_of(kind);
      one.what = name.c_str();
      ask(
          one, sizes, [&](Scene& scene) { scene = draw_.scene(kind, scene.bodies.size()); },
          kind == CheckScene::clustered ? close_pairs_alone
          : kind == CheckScene::flat    ? flat_alone
                                        : Cause());
    }
    // As bench times it, a dense core, where few pulls are large, in a wide halo; but without
    // softening, which has cases of its own.
    Sizes sizes = {between(130, 900), between(1000, 1100), between(1500, 2100)};
    draw_.shuffle(sizes);
    sizes.resize(in_float() ? 3 : 1);
    if (in_float()) sizes.push_back(between(33'000, 40'000));
    Question cluster = forces;
    cluster.what = "star cluster";
    cluster.base = Base::star_cluster;
    ask(
        cluster, sizes, [](Scene& scene) { scene.setting.softening = 0; }, close_pairs_alone);

    Question exact = {Group::exact_cases, "close pairs among many", How::forces};
    if (in_float()) {
      ask(
          exact, {between(2400, sampled_from)},
          [&](Scene& scene) { scene = close_pairs(scene.bodies.size(), draw_.seed()); },
          close_pairs_alone);
    }
    // The jerk of pairs that are light, close or softened may leave them out, too.
    Question exact_jerk = jerk;
    for (const FewBodies& few : few_bodies()) {
      exact.what = exact_jerk.what = few.name;
      const auto crowd = [&](Scene& scene) {
        scene = in_a_crowd(few, scene.bodies.size(), draw_.seed());
      };
      const std::size_t n = few.bodies.size();
      ask(exact, {n}, crowd, few.alone);
      if (n == 1) continue;
      ask(exact, {n + between(63, 79), n + between(130, 600)}, crowd, few.alone);
      ask(exact_jerk, {n + between(63, 300)}, crowd, jerk_alone);
    }
  }

  void ask_steps() {
    // In a third, the first or the last body rests, where loops lose bodies, as the Sun does in
    // many a data set.
    Sizes moving, resting;
    for (const std::size_t n : draw_.sizes()) (draw_.one_in(3) ? resting : moving).push_back(n);
    ask(single_steps, moving);
    ask(
        single_steps, resting,
        [&](Scene& scene) {
          scene = at_rest(std::move(scene), draw_.one_in(2) ? 0 : scene.bodies.size() - 1, 1);
        },
        rest_alone);
    Question steps = single_steps;
    steps.steps = 20;
    ask(steps, {2});
    steps.steps = 50;
    ask(steps, {between(30, 40)});
    if (in_float()) {
      // What is only done every 16th, 32nd or 64th time: sorting anew, old forces. In longer steps
      // some meet so closely that rounding decides.
      steps.steps = between(66, 80);
      ask(steps, {between(260, 600)}, [](Scene& scene) { scene.setting.dt /= 8; });
    }
    // What was computed before is kept as long as the first body stays where it is.
    steps.steps = 3;
    ask(steps, {between(20, 60), between(20, 60)}, put_a_sun,
        {"heavy_first_body",
         "right if the first body moves, wrong if it is so heavy that it stays"});
    steps.steps = 1;
    steps.what = "one step from rest";
    ask(steps, {between(20, 60), between(20, 60), between(20, 60)}, stop_all, rest_alone);

    ask(run, draw_.sizes());
    ask_long_runs();
    for (const How how : {How::forces, How::run}) {
      Question nothing = {Group::steps, "no time passes", how};
      nothing.steps = how == How::run ? 1 : 0;
      ask(nothing, {2, between(20, 40), between(200, 300)},
          [](Scene& scene) { scene.setting.dt = 0; },
          {"moved_elsewhere", "the bodies are changed outside update_bodies()"});
    }
    // A program that knows what is timed must not step otherwise there. One step: in the core of
    // the cluster, rounding the answered state would decide the next.
    for (Question cluster : {single_steps, adaptive_steps}) {
      cluster.what = "{} step of a star cluster";
      cluster.base = Base::star_cluster;
      cluster.softened = cluster.accelerations = false;
      cluster.steps = 1;
      cluster.threads = extent_.ranks > 0 ? 0 : 1;
      ask(cluster, {between(900, 2100)}, [](Scene&) {},
          {"star_cluster",
           "right except in the star cluster that ./lab bench times: what is different there?"});
    }
  }

  void ask_long_runs() {
    if (!in_float()) return;
    Question some = run;
    some.time = long_time;
    some.must_forgive = true;
    for (int k = 0; k < 3; ++k) {
      // A CUDA graph may make, for example, 64 steps at a time: two such batches, and some more.
      // And enough that a counter of eight bits wraps around. And round numbers, which people type.
      for (const std::size_t steps :
           {k == 0 ? 100 : 128 + between(1, 40), k == 0 ? 1000 : 1000 + between(1, 20)}) {
        some.steps = steps;
        ask(some, {between(30, 40)});
      }
    }
    if (extent_.ranks > 0) return;  // processes are slow to step
    some.steps = between(1025, 3000);
    ask(some, {between(2, 4)});
    // A counter of sixteen bits wraps around, too. Such short steps are mostly rounding, which is
    // tolerated; steps that are lost are not. On one thread, since to wake others takes longer.
    some.steps = very_many_steps + between(0, 500);
    some.must_forgive = some.accelerations = false;
    some.threads = 1;
    ask(some, {2});
  }

  void ask_adaptive_steps() {
    ask(adaptive_steps, draw_.sizes());
    ask(adaptive_run, draw_.sizes());
    // As in a run: one light body flies straight through all the others, and the step keeps
    // changing. The floor is in half of the steps, or out of reach.
    for (int k = 0; k < 6 && in_float(); ++k) {
      Question flight = adaptive_run;
      flight.length = Length::scene;
      flight.base = Base::heavy_tail;
      flight.steps = 128 + between(1, 40);
      flight.softened = flight.accelerations = false;
      flight.must_forgive = true;
      ask(flight, {between(30, 40)}, [&](Scene& scene) {
        const std::size_t middle = scene.bodies.size() / 2;
        scene = with_flier(std::move(scene), middle, middle);
        if (k % 2 == 1) scene.setting.dt_floor = median_step(scene, flight.steps);
      });
    }

    Question steps = adaptive_steps;
    steps.length = Length::scene;
    steps.base = Base::equal_masses;
    const auto few = [&] { return Sizes{2, between(20, 60), between(20, 60)}; };
    // Where the textbook root of Eq. 6 fails: with a D far below v^2 its difference cancels, since
    // 0.2 a D / v^2 is about 1 / speed^2. And the opposite case: from rest only a D counts.
    steps.what = "{} steps of fast bodies";
    ask(steps, few(), faster(1e3));
    steps.what = "{} steps without any pull: a = 0";
    ask(steps, few(), [](Scene& scene) { scene.setting.G = 0; });
    steps.what = "{} steps from rest";
    ask(steps, few(), stop_all,
        {"rest_in_search", "bodies at rest are left out of the adaptive step"});
    steps.steps = 1;
    // v^4 is beyond float's range, v^2 is not.
    steps.what = "{} step of very fast bodies";
    ask(steps, few(), faster(1e10),
        {"fast_bodies",
         "right except for very fast bodies: is there a higher power of the speed than its square, "
         "which leaves the range of float?"});
    // Softened bodies at one place: the step is the floor, also where Eq. 7 is 0/0. Alone, and
    // where loops over whole vectors meet both.
    steps.what = "two bodies at one place";
    for (const bool rest : {false, true}) {
      ask(steps, {3, between(40, 80), between(130, 400)},
          [&](Scene& scene) {
            // Not the last body, whose step comes last in many a search for the smallest.
            const std::size_t n = scene.bodies.size(), one = between(0, n - 2);
            scene = without_encounters(std::move(scene));
            bring_near(scene, one, (one + between(1, n - 2)) % (n - 1), 0);
            // Far below the step of the others, which must not decide.
            scene.setting.dt_floor = scene.setting.dt / 512;
            if (rest) stop_all(scene);
          },
          {"one_place",
           "two softened bodies at one place: D = 0 in Eq. 7, so the step is the floor. Or are "
           "some bodies left out of the search?"});
    }
    // A neighbour far nearer than the softening: r^2 + eps^2 - eps^2 has none of the digits of r^2.
    steps.what = "a neighbour within the softening";
    ask(steps, {2, between(20, 60), between(130, 300)},
        [&](Scene& scene) {
          const std::size_t one = between(0, scene.bodies.size() - 1);
          scene.setting.softening = draw_.digits_of(smallest_distance(scene.bodies));
          bring_near(scene, one, nearest_to(scene.bodies, one), 1.0 / 256);
        },
        {"softened_neighbour",
         "right except where the nearest neighbour is within the softening: is its distance taken "
         "from r^2 + eps^2, where its digits are lost?"});
  }

  // The other body comes so near, as a share of its distance.
  void bring_near(Scene& scene, std::size_t one, std::size_t other, double share) {
    for (auto* q : {&scene.bodies.qx, &scene.bodies.qy, &scene.bodies.qz}) {
      (*q)[other] = draw_.digits_of((*q)[one] + ((*q)[other] - (*q)[one]) * share);
    }
  }

  static double median_step(const Scene& scene, std::uint64_t steps) {
    Request request = case_of(Group::adaptive_step, "", scene).request;
    request.adaptive = true;
    request.steps = steps;
    std::vector<double> lengths = reference_run(request).steps;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(steps / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
  }

  void ask_kicks_and_jerk() {
    ask(kicks, draw_.sizes());
    ask(jerk, draw_.sizes());
    // One more integrator, which starts from accelerations and jerk.
    Question hermite = single_steps;
    hermite.group = Group::integrators;
    hermite.what = "{} steps of hermite4";
    hermite.length = Length::either;
    ask(hermite, {between(20, 60), between(90, 130)},
        [](Scene& scene) { scene.setting.integrator = "hermite4"; });
  }

  // --- the same on threads, on ranks, in other blocks, and of many bodies

  void share(Question question, const Sizes& sizes, unsigned among) {
    const bool on_ranks = extent_.ranks > 0;
    question.group = on_ranks ? Group::ranks : Group::threads;
    (on_ranks ? question.ranks : question.threads) = among;
    // No giant hides a body that nobody took.
    if (question.how == How::forces) question.base = Base::equal_masses;
    ask(question, sizes);
  }
  void share_all(const Sizes& sizes, unsigned among) {
    for (const Question& question : aspects) share(question, sizes, among);
  }

  void ask_on_threads() {
    std::vector<unsigned> numbers = {2, static_cast<unsigned>(between(3, 8))};
    if (in_float()) numbers = {2, 3, 4, 5, 6, 7, 8, static_cast<unsigned>(between(9, 72))};
    for (const unsigned among : numbers) {
      // Fewer bodies than threads, as many, a multiple, and a rest.
      const std::size_t most = among > 8 ? 10 : 40;
      Sizes sizes = {among, among * between(2, most), draw_.with_rest(among, 2, most)};
      if (among > 2) sizes.push_back(between(2, among - 1));
      share_all(sizes, among);
    }
    if (!in_float()) return;
    // The same bodies several times: a race shows as an answer that is wrong now and then.
    Question again = forces;
    again.times = 3;
    for (const unsigned among : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 24u}) {
      share(again, {between(600, 640)}, among);
    }
    for (Question race : {adaptive_steps, adaptive_run}) {
      race.group = Group::threads;
      race.what = "{} steps with a race for the smallest";
      race.length = Length::scene;
      race.base = Base::equal_masses;
      race.steps = race.how == How::run ? 2 : 24;
      race.times = 3;
      for (const unsigned among : {2u, 3u, 4u, 8u}) {
        race.threads = among;
        ask(race, {among * (race.how == How::run ? between(50, 60) : between(16, 24))},
            racing(among));
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
      share_all({between(std::min(2u, among), among), draw_.with_rest(among, 2, 40)}, among);
      share(single_steps, {between(1000, 1040)}, among);
    }
    // More processes than many a machine has cores take turns: few requests of few bodies.
    const auto more = static_cast<unsigned>(between(9, 12));
    const Sizes few = {draw_.with_rest(more, 2, 8)};
    for (const Question& question : {forces, single_steps, run}) share(question, few, more);
    for (const unsigned among : {2u, 3u}) share(single_steps, {20'000 + between(1, 20)}, among);
  }

  // Kernels that are right for the default block only.
  void ask_other_blocks() {
    for (unsigned block : {16u, 64u, 128u, 512u}) {
      if (!in_float()) return;
      const std::size_t blocks = block < 64 ? 70 : 1;  // narrow blocks are many blocks
      for (Question question : {forces, run}) {
        question.group = Group::threads;
        question.base = Base::equal_masses;
        question.block = block;
        if (question.how == How::run) {
          question.steps = 3;
          ask(question, {block + 1u});
        } else {
          ask(question, {block * between(1, 2), between(2, block - 1),
                         draw_.with_rest(block, blocks, blocks + 1)});
        }
      }
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
    const std::size_t drawn = between(1, 6);
    const Question& question = drawn <= 3 ? kicks : drawn <= 5 ? adaptive_steps : jerk;
    if (extent_.thorough) {
      for (const Question& each : aspects) ask_of_many(each, beyond_14_bits());
    } else {
      ask_of_many(question, drawn <= 3 ? draw_.many() : between(many_from, many_from + 500));
    }
    const Question some[] = {forces, single_steps, run, adaptive_steps, jerk};
    ask_of_many(drawn <= 3 ? some[between(0, 4)] : kicks, draw_.thousands());
    ask_of_many(adaptive_steps, between(4100, 4400));
    // A step that is kept from the one before.
    ask_of_many(adaptive_run, between(2700, 3100));
    // Forces of so many have a case of their own.
    ask_of_many(single_steps, between(very_many_from, very_many_from + 3000));
  }

  std::size_t beyond_14_bits() { return between((1 << 14) + 1, many_to); }

  // Of which only some are compared. The reference moves the others without a pull, which is right
  // for a short time.
  void ask_of_many(Question question, std::size_t n) {
    question.length = question.length == Length::drawn ? Length::scene : Length::fixed;
    question.time /= 64;
    if (question.how == How::single_steps) question.steps = 1;
    ask(question, {n});
  }

  // One crowd, one after the other: an answer that is remembered by the number, the places or the
  // masses of bodies shows.
  void ask_relations() {
    const Scene crowd = draw_.scene(CheckScene::heavy_tail, between(70, short_runs));
    const auto related = [&](const char* what, const Change& change) {
      ask({Group::exact_cases, what, How::forces}, {crowd.bodies.size()}, [&](Scene& scene) {
        scene = crowd;
        change(scene);
      });
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
    related("shifted, the same pull", [](Scene& scene) { scene = shifted(std::move(scene)); });
  }

  // Families in order of dependence, and what takes long after all of them. Programs start anew for
  // each block and each number of ranks.
  void put_in_order() {
    if (extent_.largest_n > 0) {
      std::erase_if(cases_, [&](const Case& test) { return test.n() > extent_.largest_n; });
    }
    const auto place = [](const Case& test) {
      const bool is_long = test.n() > sampled_from || test.request.steps >= very_many_steps;
      return std::tuple(test.block, test.ranks, test.n() >= very_many_from, is_long, test.group);
    };
    std::stable_sort(cases_.begin(), cases_.end(),
                     [&](const Case& a, const Case& b) { return place(a) < place(b); });
    // The first request is a drawn one of some size: memory that is read before it is written shows
    // before anything has been written there.
    Sizes of_some_size;
    for (std::size_t k = 0; k < cases_.size(); ++k) {
      const Case& test = cases_[k];
      if (test.n() > 30 && test.n() < 600 && test.block == 0 && test.group < Group::threads &&
          test.group != Group::exact_cases) {
        of_some_size.push_back(k);
      }
    }
    if (of_some_size.empty()) return;
    const std::size_t drawn = of_some_size[between(0, of_some_size.size() - 1)];
    const auto first = cases_.begin() + static_cast<std::ptrdiff_t>(drawn);
    std::rotate(cases_.begin(), first, std::next(first));
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
