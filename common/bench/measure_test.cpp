// What is measured of programs, what is noticed of those that are wrong or cheat, and the program
// bench itself.
#include "bench/measure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/fresh_scene.hpp"
#include "bench/runner.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::bench {
namespace {

PlannedRow row_of(const std::string& program, std::vector<std::string> arguments = {}) {
  PlannedRow row{.name = "row", .program = program, .arguments = std::move(arguments)};
  row.n = 200;
  return row;
}

PlannedRow cheating(const std::string& how) { return row_of(CHEATS_PROGRAM, {"--cheat", how}); }

Plan short_plan(std::vector<PlannedRow> rows, int rounds = 3) {
  Plan plan{.rounds = rounds, .seconds = 0.02, .rows = std::move(rows)};
  for (std::size_t k = 0; k < plan.rows.size(); ++k) plan.rows[k].name += std::to_string(k);
  return plan;
}

// Of its only row. So short a plan can fail on a machine that does other things: then again, unless
// it is wrong all the same.
Timing timing_of(const Plan& plan) {
  Timing timing;
  for (int attempt = 0; attempt < 3; ++attempt) {
    timing = measure(plan).front();
    if (timing.outcome != NoNumbers::busy || !timing.wrong.empty()) break;
  }
  return timing;
}

// Ratios beside other programs vary: one of some attempts must show what holds.
void expect_soon(const std::function<bool()>& holds) {
  for (int attempt = 0; attempt < 6; ++attempt) {
    if (holds()) return;
  }
  ADD_FAILURE() << "not in any of six attempts";
}

// Seconds per step, of the rounds that count.
double median(const Timing& timing) {
  std::vector<double> counted = timing.rounds;
  std::erase(counted, 0);
  std::sort(counted.begin(), counted.end());
  return counted.empty() ? 0 : counted[counted.size() / 2];
}

// What is found out about one row; naive with 200 bodies, unless the plan is changed.
using Change = std::function<void(Plan&)>;
struct Measured {
  const char* name;
  Change change;
  const char* trouble = nullptr;  // words of what is wrong; null: nothing is
  std::size_t rounds = 3;
};

Change runs(const char* program, const std::vector<std::string>& arguments = {}) {
  return [=](Plan& plan) {
    plan.rows[0].program = program;
    plan.rows[0].arguments = arguments;
  };
}
// With few steps, which do not lead to chaos; adaptive as the notebook asks.
Change cheats(const char* how, bool adaptive = false) {
  return [=](Plan& plan) {
    plan.rows[0] = cheating(how);
    plan.rows[0].n = 400;
    plan.adaptive = adaptive;
  };
}
// One request a round.
void make_long(Plan& plan) { plan.rows[0].n = 1100, plan.long_step_s = 1e-4; }

const Measured rows[] = {
    {"few_bodies", [](Plan&) {}},
    {"one_body", [](Plan& plan) { plan.rows[0].n = 1; }},
    {"in_double",
     [](Plan& plan) { runs(NAIVE_IN_DOUBLE)(plan), plan.rows[0].precision = "double"; }},
    // As a GPU is measured: longer, not stopped, and a start is no sign of trouble.
    {"starts_slowly", [](Plan& plan) { plan.rows[0].starts_slowly = plan.adaptive = true; }},
    {"long_steps", make_long},
    {"long_adaptive_steps", [](Plan& plan) { make_long(plan), plan.adaptive = true; }},
    {"no_more_rounds_than_there_is_time_for",
     [](Plan& plan) { make_long(plan), plan.longest_s = 1e-3; }, nullptr, 1},
    // Programs that do not answer.
    {"crash", runs(CRASHING_PROGRAM), "signal"},
    {"missing", runs("/no/such/program"), "start"},
    {"says_right", cheats("says_right"), "stopped with: right"},
    {"refused_launch", runs(NAIVE_PROGRAM, {"--block", "32"}), ""},
    {"another_program",
     [](Plan& plan) {
       plan.rows[0].hello = {"part2", "naive", ""};
     },
     "part1"},
    {"double_for_float", runs(NAIVE_IN_DOUBLE), "double"},
    {"wrong_forces", runs(WRONG_PROGRAM, {"--mistake", "one_factor"}), "error 1e-01"},
    {"late", [](Plan& plan) { plan.rows[0].n = 5000, plan.timeout_s = 0.01; }, "no answer in time"},
    // Programs that cheat; halves_test.cpp has more of them.
    {"not_at_all", cheats("not_at_all")},
    {"not_at_all_adaptive", cheats("not_at_all", true)},
    {"no_steps", cheats("no_steps"), ""},
    {"no_steps_adaptive", cheats("no_steps", true), ""},
    {"half_the_steps", cheats("half_the_steps"), "end elsewhere"},
    {"half_the_steps_adaptive", cheats("half_the_steps", true), ""},
    {"right_in_single_steps_and_cheaper_in_many", cheats("taken_over"), "end elsewhere"},
    {"no_long_steps", [](Plan& plan) { cheats("no_steps")(plan), make_long(plan); }, ""},
};

class Measure : public testing::TestWithParam<Measured> {};

TEST_P(Measure, GivesNumbersOrSaysWhatIsWrong) {
  Plan plan = short_plan({row_of(NAIVE_PROGRAM)});
  GetParam().change(plan);
  const PlannedRow& row = plan.rows[0];
  const Timing timing = timing_of(plan);
  std::string trouble = timing.wrong + timing.fault;
  if (timing.error > timing.limit) trouble += fmt::format("error {:.0e}", timing.error);
  if (GetParam().trouble != nullptr) {
    EXPECT_NE(trouble, "");
    EXPECT_NE(trouble.find(GetParam().trouble), std::string::npos) << trouble;
    EXPECT_EQ(timing.outcome == NoNumbers::late, GetParam().name == std::string("late"));
    return;
  }
  if (timing.outcome == NoNumbers::busy && trouble == timing.fault) GTEST_SKIP() << trouble;
  EXPECT_EQ(trouble, "");
  EXPECT_EQ(timing.rounds.size(), GetParam().rounds);
  EXPECT_TRUE(timing.step_count_verified);
  EXPECT_GT(median(timing), 0);
  EXPECT_LT(median(timing), 0.5);
  EXPECT_LE(timing.error, timing.limit);
  EXPECT_LT(timing.limit, row.precision == "double" ? 1e-9 : 1e-4);
  EXPECT_EQ(timing.error > 0, row.n > 1);
  EXPECT_EQ(timing.cores > 0.1, !row.starts_slowly);
  EXPECT_LT(timing.cores, 1.1);
}

INSTANTIATE_TEST_SUITE_P(Rows, Measure, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Measurement, FewBodiesComeFirstAndStoppingKeepsThem) {
  Plan plan = short_plan({row_of(NAIVE_PROGRAM), row_of(NAIVE_PROGRAM), row_of(CRASHING_PROGRAM)});
  plan.rows[0].n = 400, plan.rows[2].n = 300;
  std::vector<std::size_t> known;
  Listener listener;
  listener.hear = [&](const nlohmann::json& line) {
    if (line.contains("row")) known.push_back(line["row"]);
  };
  listener.stops = [&] { return known.size() >= 2; };
  const std::vector<Timing> timings = measure(plan, listener);
  EXPECT_EQ(known, (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(timings[1].rounds.size(), 3u);
  EXPECT_EQ(timings[0].fault, "not measured: stopped before");
}

// A giant rounds what plain sums add to it: no mistake of the program that is timed.
TEST(Measurement, SumsBesideAGiantHaveALimitOfTheirOwn) {
  Plan plan = short_plan({row_of(NAIVE_PROGRAM)});
  plan.rows[0].n = 4000;
  const auto limit = [&](const char* scene) {
    const TypicalScene typical{fresh_scene(scene, 4000, 1), 1};
    return Runner(plan.rows[0], plan, typical).result().limit;
  };
  EXPECT_GT(limit("galaxy"), 5 * limit("plummer"));
}

// Three answers are judged: one of eight times all of them are honest.
TEST(Cheat, StepsThatAreLeftOutNowAndThenAreNoticed) {
  Plan plan = short_plan({cheating("now_and_then")});
  plan.rows[0].n = 400;
  int noticed = 0;
  for (int attempt = 0; attempt < 8 && noticed < 3; ++attempt) {
    noticed += !measure(plan).front().wrong.empty();  // on a busy machine, too
  }
  EXPECT_EQ(noticed, 3);
}

TEST(Cheat, CoresThatNobodyAskedForAreNoticed) {
  Timing timing;
  for (int attempt = 0; attempt < 6 && timing.cores < 1.6; ++attempt) {  // others may have had them
    timing = measure(short_plan({cheating("second_thread")})).front();
  }
  if (timing.cores < 1.6) GTEST_SKIP() << "it had " << timing.cores << " cores: " << timing.fault;
  EXPECT_NE(timing.wrong.find("cores where 1 thread was asked"), std::string::npos)
      << timing.wrong << timing.fault << timing.cores;
}

// A program that sleeps has no speed, or one that gains nothing; what it remembers gains nothing.
TEST(Cheat, SleepingAndRememberingGainNothing) {
  for (const char* how : {"sleeps", "sleeps_always", "remembers"}) {
    SCOPED_TRACE(how);
    expect_soon([&] {
      const auto timings = measure(short_plan({cheating("not_at_all"), cheating(how)}, 7));
      if (timings[0].outcome == NoNumbers::busy) return true;  // nobody has a speed
      if (!timings[1].fault.empty()) return std::string(how) != "remembers";
      return median(timings[1]) > median(timings[0]) / 1.3;
    });
  }
}

TEST(Cheat, ANeighbourThatSpinsSlowsNobodyDown) {
  expect_soon([] {
    const Timing alone = measure(short_plan({cheating("not_at_all")}, 5))[0];
    if (alone.outcome == NoNumbers::busy) return true;
    const auto both = measure(short_plan({cheating("not_at_all"), cheating("spins")}, 5));
    return both[0].fault.empty() && median(both[0]) < median(alone) / 0.7 &&
           both[0].cores > 0.7 * alone.cores;
  });
}

// The program: its plan comes on standard input.
Outcome run(const Plan& plan, const std::string& lines) {
  const TestFolder folder;
  std::ofstream(folder / "plan") << nlohmann::json(plan);
  return shell(folder, lines);
}

// Within a request that takes minutes. Ctrl-C does the same; a shell's background programs ignore
// it.
TEST(Program, AnswersLineByLineAndKeepsWhatIsMeasuredWhenItIsStopped) {
  Plan plan = short_plan({row_of(NAIVE_PROGRAM), row_of(NAIVE_PROGRAM), row_of(NAIVE_PROGRAM)});
  plan.rows[2].n = 60'000;
  const Outcome ended = run(plan, BENCH_PROGRAM
                            " < plan > lines & until grep -q 'of 1, row2' lines; do "
                            "sleep 0.1; done; kill $!; wait $!; echo $?; "
                            "grep -c '\"rounds\":\\[[0-9]' lines; tail -1 lines");
  ASSERT_EQ(ended.out.substr(0, 6), "130\n2\n") << ended.out << ended.err;
  const auto last = nlohmann::json::parse(ended.out.substr(6));
  EXPECT_EQ(last["stopped"], true);
  EXPECT_TRUE(last["google"]["context"].contains("num_cpus"));
  EXPECT_GE(last["google"]["benchmarks"].size(), 6u);
  for (const auto& one : last["google"]["benchmarks"]) {
    EXPECT_TRUE(one.contains("error_occurred") || one["interactions_per_s"] > 0) << one;
  }
}

TEST(Program, RefusesWhatIsNoPlanInOneLine) {
  for (const char* scene : {"nowhere", "lagrange"}) {
    Plan plan = short_plan({row_of(NAIVE_PROGRAM)});
    plan.scene = scene;
    const Outcome ended = run(plan, BENCH_PROGRAM " < plan");
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(ended.err.rfind("bench: ", 0), 0u) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_EQ(ended.out, "");
  }
}

}  // namespace
}  // namespace nbody::bench
