#include "worksheet/part2_questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "worksheet/judge.hpp"
#include "worksheet/paper_processor.hpp"

namespace nbody {
namespace {

constexpr double exact_count = 0.005;  // one operation of 40 is 2.5 %, N against N - 1 is 0.1 %
constexpr double exactly = 1e-6;
constexpr double by_hand = 0.02;  // three digits, rounded
constexpr double here = 0.05;     // clocks drift by that
constexpr int bodies_with_a_tail = 1019;
// The step in task 5 of the handout, without the estimate; and that of task 7.
constexpr double direct_instructions = 14, third_law_instructions = 18;
constexpr int wanted_notebook_rows = 6;

using Member = std::function<double(const Part2Answers&)>;

// One part 2 worksheet while it is judged: collects lines.
class Judging {
 public:
  Judging(const std::function<Part2Answers(double)>& answers, const WorksheetTruth& truth)
      : first_(answers(judged_sizes[0])), second_(answers(judged_sizes[1])), truth_(truth) {
    if (!first_.authors.empty()) processor_ = paper_processor_of(first_.authors);
  }

  Lines all() {
    authors();
    add(judge_choice("1", "why a structure of arrays", first_.why_structure_of_arrays, 0xbe9b528b));
    permissions();
    counts_of_naive();
    lanes();
    batches();
    add(judge_choice("6", "why reduce_add behind the loop", first_.why_not_add_up_in_the_loop,
                     0xbf8e882b));
    precision();
    direct();
    rows();
    third_law();
    threads();
    doubles();
    own_version();
    notebook();
    return lines_;
  }

 private:
  void add(const Line& line) { lines_.push_back(line); }
  void add(const Lines& lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }

  // What follows from the paper machine; NaN without one.
  template <typename Formula>
  double on_paper(Formula formula) const {
    return processor_ ? formula(*processor_) : unanswered;
  }

  void authors() {
    const bool there = !first_.authors.empty();
    add(Line{"0", "authors", Kind::text, first_.authors, there ? State::noted : State::unanswered,
             there ? "" : "needed: the paper machine is made from them"});
  }

  void permissions() {
    add(judge_choice("2", "omp simd reduction permits", first_.reduction_permits, 0xd5993829));
    add(judge_choice("2", "-fno-math-errno permits", first_.no_math_errno_permits, 0xd8993ce2));
    add(judge_choice("2", "-fno-trapping-math permits", first_.no_trapping_math_permits,
                     0xd7993b4f));
    add(judge_choice("2", "a selection permits", first_.selection_permits, 0xd69939bc));
  }

  CountedClass counted(const std::string& question, const std::string& name,
                       const std::string& kind, const Member& answer) const {
    CountedClass one = {question, {answer(first_), answer(second_)}, std::nullopt};
    const auto counts = truth_.counts_of(name);
    if (!counts) return one;
    const auto first = counts->at(kind, judged_sizes[0]),
               second = counts->at(kind, judged_sizes[1]);
    if (first && second) one.truth = AtBothSizes{*first, *second};
    return one;
  }

  void counts_of_naive() {
    add(judge_counts(
        "3",
        {counted("flops of naive: add, subtract", "naive", "add",
                 [](const auto& a) { return a.naive.add; }),
         counted("multiply", "naive", "mul", [](const auto& a) { return a.naive.mul; }),
         counted("divide", "naive", "div", [](const auto& a) { return a.naive.div; }),
         counted("sqrt", "naive", "sqrt", [](const auto& a) { return a.naive.sqrt; })},
        "flops of naive, all", exact_count, truth_.disclosure));
  }

  void lanes() {
    const auto of = [&](const std::string& name, const Lanes& answer, double floats) {
      add(judge_exact("4", "lanes of float, " + name, answer.of_float, floats, exactly));
      add(judge_exact("4", "lanes of double, " + name, answer.of_double, floats / 2, exactly));
    };
    of("SSE2", first_.sse2, 4);
    of("AVX2", first_.avx2, 8);
    of("AVX-512", first_.avx512, 16);
    of("NEON", first_.neon, 4);
  }

  void batches() {
    const std::string machine = "question 0";
    const double lanes = on_paper([](const auto& p) { return p.lanes; });
    const double left_over = std::fmod(bodies_with_a_tail, lanes);
    add(judge_follow_through("4", fmt::format("full batches of {} bodies", bodies_with_a_tail),
                             first_.full_batches, std::floor(bodies_with_a_tail / lanes), exactly,
                             machine));
    add(judge_follow_through("4", "bodies left over", first_.left_over, left_over, exactly,
                             machine));
    add(judge_follow_through("4", "bodies that fill up", first_.fillers, lanes - left_over, exactly,
                             machine));
    add(judge_follow_through(
        "5", "bound of root and division, a cycle", first_.bound_of_root_and_division,
        on_paper([](const auto& p) { return p.lanes / p.root_and_division; }), by_hand, machine));
  }

  void precision() {
    add(judge_choice("7", "the estimate as it is", first_.raw_estimate, 0xdf8c7bf4));
    add(judge_exact("7", "steps from 12 bits to float", first_.steps_from_12_to_float, 1, exactly));
    add(judge_exact("7", "steps from 14 bits to float", first_.steps_from_14_to_float, 1, exactly));
    add(judge_exact("7", "steps from 14 bits to double", first_.steps_from_14_to_double, 2,
                    exactly));
  }

  // A bound follows from the student's own number of instructions.
  void bound(const std::string& number, double instructions, double batches_served, double answer) {
    const double expected = on_paper([&](const auto& p) {
      return bound_by_ports(batches_served * p.lanes, instructions + p.estimate_slots, p.ports);
    });
    add(judge_follow_through(number, "bound on paper, a cycle", answer, expected, by_hand,
                             "question 0 and the instructions"));
  }

  void direct() {
    add(judge_exact("8", "instructions without the estimate", first_.instructions,
                    direct_instructions, exactly));
    bound("8", first_.instructions, 1, first_.bound);
  }

  void rows() {
    add(record("9", "rows at once", first_.rows));
    add(record("9", "predicted gain", first_.rows_predicted));
    add(record("9", "measured gain", first_.rows_measured));
  }

  void third_law() {
    add(judge_exact("10", "third law: instructions", first_.third_law_instructions,
                    third_law_instructions, exactly));
    bound("10", first_.third_law_instructions, 2, first_.third_law_bound);
    add(judge_choice("10", "why is it not twice as fast", first_.third_law_why, 0x014c44bd));
  }

  void threads() {
    add(record("11", "speed-up with 256 bodies", first_.speed_up_at_256));
    add(record("11", "speed-up with 10000 bodies", first_.speed_up_at_10000));
    add(record("11", "threads pay from n =", first_.threads_pay_from));
  }

  void doubles() {
    add(record("12", "double, predicted", first_.double_predicted));
    add(record("12", "double, measured", first_.double_measured));
    add(judge_choice("12", "why more than 2", first_.double_why, 0xf74624d1));
  }

  void own_version() {
    const std::string name = first_.mine;
    const auto flops = [](const auto& a) { return a.mine_flops; };
    const auto fma = [](const auto& a) { return a.mine_fma; };
    add(judge_counts("13", {counted("flops of " + name, name, "flops", flops)}, "", exact_count,
                     truth_.disclosure));
    add(judge_counts("13", {counted("fma of " + name, name, "fma", fma)}, "", exact_count,
                     truth_.disclosure));
    add(record("13", "10^9 interactions/s", first_.interactions_here));
    add(record("13", "clock, GHz", first_.clock_here));
    add(record("13", "bound here, interactions a cycle", first_.bound_here));
    add(judge_follow_through(
        "13", "share of the bound, %", first_.reached_percent,
        100 * first_.interactions_here / (first_.clock_here * first_.bound_here), here,
        "speed, clock and bound"));
  }

  void notebook() { add(record_notebook("14", truth_.notebook_rows, wanted_notebook_rows)); }

  Part2Answers first_, second_;
  const WorksheetTruth& truth_;
  std::optional<PaperProcessor> processor_;
  Lines lines_;
};

}  // namespace

Lines judge_part2(const std::function<Part2Answers(double)>& answers, const WorksheetTruth& truth) {
  return Judging(answers, truth).all();
}

std::string reason_to_hide_counts_of_part2(const std::string& name, const Lines& judged,
                                           const WorksheetTruth& truth) {
  const bool counted_right = std::all_of(judged.begin(), judged.end(), [](const Line& line) {
    return line.number != "3" || line.state == State::right;
  });
  return reason_to_hide(name, counted_right, truth,
                        "question 3 of worksheet.hpp is right (./lab worksheet part2)");
}

}  // namespace nbody
