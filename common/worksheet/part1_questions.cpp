#include "worksheet/part1_questions.hpp"

#include <algorithm>
#include <cmath>

#include "worksheet/judge.hpp"
#include "worksheet/paper_machine.hpp"

namespace nbody {
namespace {

constexpr double exact_count = 0.005;  // one operation of 40 is 2.5 %, N against N - 1 is 0.1 %
// Rows of body i may be loaded once or twice, the minus n of i = j may be there or not: each 0.1 %.
constexpr double count_in_registers = 0.01;
constexpr double by_hand = 0.02;  // three digits, rounded
constexpr double here = 0.05;     // ceilings repeat within that
constexpr double percent_points = 0.02;
constexpr double bytes_of_float = 4;
constexpr int wanted_notebook_rows = 4;
// What the naive's profile usually says (docs/reading_gprof.md); farther off is worth a look.
constexpr double usual_forces = 78, usual_neighbours = 22, usual_within = 15;

using Member = std::function<double(const Part1Answers&)>;

// One part 1 worksheet while it is judged: collects lines.
class Judging {
 public:
  Judging(const std::function<Part1Answers(double)>& answers, const Part1Truth& truth)
      : first_(answers(judged_sizes[0])), second_(answers(judged_sizes[1])), truth_(truth) {}

  Lines all() {
    authors();
    profile();
    counts();
    paper_roofline();
    roofline_here();
    sizes();
    own_version();
    third_law();
    threads();
    return lines_;
  }

 private:
  void add(const Line& line) { lines_.push_back(line); }
  void add(const Lines& lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }

  CountedClass counted(const std::string& question, const std::optional<TrueCounts>& counts,
                       const std::string& kind, const Member& answer) const {
    CountedClass one = {question, {answer(first_), answer(second_)}, std::nullopt};
    if (!counts) return one;
    const auto first = counts->at(kind, judged_sizes[0]),
               second = counts->at(kind, judged_sizes[1]);
    if (first && second) one.truth = AtBothSizes{*first, *second};
    return one;
  }

  void authors() {
    const bool there = !first_.authors.empty();
    add(Line{"0", "authors", Kind::text, first_.authors, there ? State::noted : State::unanswered,
             there ? "" : "needed: the paper machine is made from them"});
  }

  void profile() {
    const auto unusual = [](double percent, double usual) {
      return std::abs(percent - usual) > usual_within ? "unusual: look again" : "";
    };
    add(record("1", "profile: forces, %", first_.forces_percent,
               unusual(first_.forces_percent, usual_forces)));
    add(record("1", "profile: nearest neighbours, %", first_.neighbours_percent,
               unusual(first_.neighbours_percent, usual_neighbours)));
    add(judge_follow_through("2", "speed-up if forces cost nothing", first_.speed_up_without_forces,
                             1 / (1 - first_.forces_percent / 100), by_hand, "question 1"));
  }

  void counts() {
    const auto naive = truth_.counts_of("naive");
    add(judge_counts("3",
                     {counted("flops of naive: add, subtract", naive, "add",
                              [](const auto& a) { return a.naive.add; }),
                      counted("multiply", naive, "mul", [](const auto& a) { return a.naive.mul; }),
                      counted("divide", naive, "div", [](const auto& a) { return a.naive.div; }),
                      counted("sqrt", naive, "sqrt", [](const auto& a) { return a.naive.sqrt; }),
                      counted("pow", naive, "pow", [](const auto& a) { return a.naive.pow; })},
                     "flops of naive, all", exact_count, truth_.disclosure));
    add(judge_counts(
        "4",
        {counted("memops of naive: loads", naive, "loads",
                 [](const auto& a) { return a.naive_memory.loads; }),
         counted("stores", naive, "stores", [](const auto& a) { return a.naive_memory.stores; })},
        "memops of naive, all", exact_count, truth_.disclosure));
    // Mass and position of j for every interaction; of i, and its three sums, once a row.
    const auto in_registers = [](double n) { return std::pair{4 * n * n, 3 * n}; };
    const auto [loads1, stores1] = in_registers(judged_sizes[0]);
    const auto [loads2, stores2] = in_registers(judged_sizes[1]);
    add(judge_counts(
        "5",
        {{"loads, body i and sums in registers",
          {first_.naive_memory_in_registers.loads, second_.naive_memory_in_registers.loads},
          AtBothSizes{loads1, loads2}},
         {"stores, body i and sums in registers",
          {first_.naive_memory_in_registers.stores, second_.naive_memory_in_registers.stores},
          AtBothSizes{stores1, stores2}}},
        "memops in registers, all", count_in_registers, truth_.disclosure));
  }

  void paper_roofline() {
    const double flop = flops(first_.naive);
    add(judge_follow_through("6", "flop/byte as written, float", first_.intensity,
                             flop / (bytes_of_float * memops(first_.naive_memory)), by_hand,
                             "questions 3 and 4"));
    add(judge_follow_through("6", "flop/byte in registers, float", first_.intensity_in_registers,
                             flop / (bytes_of_float * memops(first_.naive_memory_in_registers)),
                             by_hand, "questions 3 and 5"));
    double written = unanswered, registers = unanswered, peak = unanswered;
    if (!first_.authors.empty()) {
      const PaperMachine machine = paper_machine_of(first_.authors);
      peak = machine.peak;
      written = attainable(first_.intensity, peak, machine.bandwidth);
      registers = attainable(first_.intensity_in_registers, peak, machine.bandwidth);
      // std::min(peak, NaN) is peak.
      if (!is_answered(first_.intensity)) written = unanswered;
      if (!is_answered(first_.intensity_in_registers)) registers = unanswered;
    }
    add(judge_follow_through("7", "paper machine, as written, Gflop/s", first_.attainable_on_paper,
                             written, by_hand, "questions 0 and 6"));
    add(judge_follow_through("7", "paper machine, in registers, Gflop/s",
                             first_.attainable_on_paper_in_registers, registers, by_hand,
                             "questions 0 and 6"));
    add(bound_on_paper(peak));
  }

  // a: by computing both, b: by memory both, c: memory as written only, d: in registers only.
  Line bound_on_paper(double peak) const {
    Line line = {"8", "paper machine: bound by", Kind::choice, "", State::unanswered, ""};
    if (first_.bound_on_paper == no_choice) return line;
    line.answer = std::string(1, first_.bound_on_paper);
    const double written = first_.attainable_on_paper;
    const double registers = first_.attainable_on_paper_in_registers;
    if (!is_answered(written) || !is_answered(registers) || !is_answered(peak)) {
      line.state = State::waiting;
      line.words = "judged once there is question 7";
      return line;
    }
    const bool memory_written = written < peak * (1 - by_hand);
    const bool memory_registers = registers < peak * (1 - by_hand);
    const char right = memory_written     ? (memory_registers ? 'b' : 'c')
                       : memory_registers ? 'd'
                                          : 'a';
    line.state = first_.bound_on_paper == right ? State::right : State::wrong;
    return line;
  }

  void roofline_here() {
    add(record("9", "this machine: peak, Gflop/s", first_.peak_here));
    add(record("9", "this machine: bandwidth, GB/s", first_.bandwidth_here));
    const double roof = is_answered(first_.intensity) && is_answered(first_.peak_here)
                            ? attainable(first_.intensity, first_.peak_here, first_.bandwidth_here)
                            : unanswered;
    const bool known = is_answered(first_.bandwidth_here);
    add(judge_follow_through("9", "this machine: attainable, Gflop/s", first_.attainable_here,
                             known ? roof : unanswered, here, "questions 6 and 9"));
    add(record("10", "naive, measured, Gflop/s", first_.naive_gflops_here));
    add(judge_follow_through("10", "share of attainable, %", first_.reached_percent,
                             100 * first_.naive_gflops_here / first_.attainable_here, here,
                             "questions 9 and 10"));
    add(judge_choice("10", "what limits it", first_.limited_by, 0xfc4c3cde));
  }

  void sizes() {
    add(judge_choice("11", "interactions/s with more bodies", first_.with_more_bodies, 0xe74e5a66));
    add(judge_exact("12", "time with 20000 bodies over 1000", first_.time_ratio, 400, 0.1));
  }

  void own_version() {
    const auto counts = truth_.counts_of(first_.mine);
    const std::string name = first_.mine;
    add(judge_counts(
        "13",
        {counted("flops of " + name, counts, "flops", [](const auto& a) { return a.mine_flops; })},
        "", exact_count, truth_.disclosure));
    add(judge_counts("13",
                     {counted("loads of " + name, counts, "loads",
                              [](const auto& a) { return a.mine_memory.loads; }),
                      counted("stores of " + name, counts, "stores",
                              [](const auto& a) { return a.mine_memory.stores; })},
                     "memops of " + name + ", all", exact_count, truth_.disclosure));
    add(record_notebook("14", truth_.notebook_rows, wanted_notebook_rows));
  }

  void third_law() {
    const auto flops_of = [&](const std::string& name) {
      const auto counts = name.empty() ? std::nullopt : truth_.counts_of(name);
      return counts ? counts->at("flops", judged_sizes[0]) : std::nullopt;
    };
    const auto before = flops_of(first_.before_third_law), after = flops_of(first_.third_law);
    Line line = judge_follow_through("15", "third law: flops over those before",
                                     first_.third_law_flops_ratio,
                                     before && after ? *after / *before : unanswered, by_hand,
                                     "both names, and they can be counted");
    add(line);
    add(judge_choice("16", "why is it not twice as fast", first_.third_law_why, 0x0e50d662));
  }

  void threads() {
    add(judge_exact("17", "share of pairs in the first block, %", first_.first_block_percent, 75,
                    percent_points));
    add(judge_exact("17", "best speed-up of two blocks", first_.best_speed_up_of_blocks, 4.0 / 3,
                    0.015));
    add(record("18", "threads", first_.threads));
    add(record("18", "speed-up with them", first_.speed_up_with_threads));
    // Karp and Flatt 1990.
    const double share = 1 / first_.threads;
    add(judge_follow_through("18", "serial fraction", first_.serial_fraction,
                             (1 / first_.speed_up_with_threads - share) / (1 - share), by_hand,
                             "threads and speed-up"));
    add(record("19", "largest error of the race", first_.error_of_race));
    add(judge_choice("19", "which of them pass the check", first_.which_pass, 0xf83aed71));
  }

  Part1Answers first_, second_;
  const Part1Truth& truth_;
  Lines lines_;
};

}  // namespace

Lines judge_part1(const std::function<Part1Answers(double)>& answers, const Part1Truth& truth) {
  return Judging(answers, truth).all();
}

std::string reason_to_hide_counts(const std::string& name, const Lines& judged,
                                  const Part1Truth& truth) {
  const bool counted_right = std::all_of(judged.begin(), judged.end(), [](const Line& line) {
    return (line.number != "3" && line.number != "4") || line.state == State::right;
  });
  return reason_to_hide(name, counted_right, truth,
                        "questions 3 and 4 of worksheet.hpp are right (./lab worksheet part1)");
}

}  // namespace nbody
