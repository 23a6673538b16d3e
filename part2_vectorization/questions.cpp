// How the answers in worksheet.hpp are judged. One more question: its words and its answer go
// there, its row here (common/worksheet/question.hpp says what kinds there are).
#include <fmt/format.h>

#include <cmath>

#include "paper_machine.hpp"
#include "worksheet/question.hpp"

namespace nbody {
namespace {

constexpr double any_number = 0;

constexpr double exact_count = 0.005;  // one operation of 40 is 2.5 %, N against N - 1 is 0.1 %
constexpr double exactly = 1e-6;
constexpr double by_hand = 0.02;  // three digits, rounded
constexpr double here = 0.05;     // clocks drift by that
constexpr int bodies_with_a_tail = 1019;
// The step in task 5 of the handout, without the estimate; and that of task 7.
constexpr double direct_instructions = 14, third_law_instructions = 18;

// What follows from the paper machine; NaN without one.
template <typename Of>
Formula on_paper(Of of) {
  return [of](const Given& a) -> double {
    return a.text("authors").empty() ? unanswered : of(paper_processor_of(a.text("authors")));
  };
}

double left_over(const PaperProcessor& p) { return std::fmod(bodies_with_a_tail, p.lanes); }

// A bound follows from the student's own number of instructions.
Formula bound(const std::string& instructions, int batches_served) {
  return [=](const Given& a) {
    if (a.text("authors").empty()) return unanswered;
    const PaperProcessor p = paper_processor_of(a.text("authors"));
    return bound_by_ports(batches_served * p.lanes, a[instructions] + p.estimate_slots, p.ports);
  };
}

double share_of_bound(const Given& a) {
  return 100 * a["interactions_here"] / (a["clock_here"] * a["bound_here"]);
}

std::string paper_machine(const std::string& authors) {
  const PaperProcessor processor = paper_processor_of(authors);
  return fmt::format(
      "{} lanes of float, ports {}, an estimate of 1/sqrt takes {} slots, root and division of a "
      "batch {:.0f} cycles",
      processor.lanes, processor.ports, processor.estimate_slots, processor.root_and_division);
}

Questions layout_and_counts() {
  return {
      text("0", "authors", "authors"),
      choice("1", "why a structure of arrays", "why_structure_of_arrays", 0x3224127d),
      choice("2", "omp simd reduction permits", "reduction_permits", 0x038f86cf),
      choice("2", "-fno-math-errno permits", "no_math_errno_permits", 0x3337b13e),
      choice("2", "-fno-trapping-math permits", "no_trapping_math_permits", 0x2f3d99bc),
      choice("2", "a selection permits", "selection_permits", 0x108cc78b),
      counts("3", exact_count,
             {{"flops of naive: add, subtract", "naive_add", counted("add")},
              {"multiply", "naive_mul", counted("mul")},
              {"divide", "naive_div", counted("div")},
              {"sqrt", "naive_sqrt", counted("sqrt")}},
             "flops of naive, all")
          .in(Unit::operations),
  };
}

Questions lanes() {
  const std::string machine = "question 0";
  return {
      number("4", "lanes of float, SSE2", "sse2_floats", 4, exactly).in(Unit::lanes_of_float),
      number("4", "lanes of double, SSE2", "sse2_doubles", 2, exactly).in(Unit::lanes_of_double),
      number("4", "lanes of float, AVX2", "avx2_floats", 8, exactly).in(Unit::lanes_of_float),
      number("4", "lanes of double, AVX2", "avx2_doubles", 4, exactly).in(Unit::lanes_of_double),
      number("4", "lanes of float, AVX-512", "avx512_floats", 16, exactly).in(Unit::lanes_of_float),
      number("4", "lanes of double, AVX-512", "avx512_doubles", 8, exactly)
          .in(Unit::lanes_of_double),
      number("4", "lanes of float, NEON", "neon_floats", 4, exactly).in(Unit::lanes_of_float),
      number("4", "lanes of double, NEON", "neon_doubles", 2, exactly).in(Unit::lanes_of_double),
      follows("4", "full batches of 1019 bodies", "full_batches", exactly, machine,
              on_paper([](const auto& p) { return bodies_with_a_tail / p.lanes; })),
      follows("4", "bodies left over", "left_over", exactly, machine, on_paper(left_over)),
      follows("4", "bodies that fill up", "fillers", exactly, machine,
              on_paper([](const auto& p) { return p.lanes - left_over(p); })),
      follows("5", "bound of root and division, a cycle", "bound_of_root_and_division", by_hand,
              machine, on_paper([](const auto& p) { return p.lanes / p.root_and_division; }))
          .in(Unit::a_cycle),
  };
}

Questions steps() {
  const std::string both = "question 0 and the instructions";
  return {
      choice("6", "why reduce_add behind the loop", "why_not_add_up_in_the_loop", 0x2c503ed0),
      choice("7", "the estimate as it is", "raw_estimate", 0x3bcd2c0e),
      number("7", "steps from 12 bits to float", "steps_from_12_to_float", 1, exactly),
      number("7", "steps from 14 bits to float", "steps_from_14_to_float", 1, exactly),
      number("7", "steps from 14 bits to double", "steps_from_14_to_double", 2, exactly),
      number("8", "instructions without the estimate", "instructions", direct_instructions,
             exactly),
      follows("8", "bound on paper, a cycle", "bound", by_hand, both, bound("instructions", 1))
          .in(Unit::a_cycle),
      recorded("9", "rows at once", "rows"),
      recorded_beside("9", "predicted gain", "rows_predicted",
                      [](const Given& a) { return expected_gains(a.notebook); }),
      recorded_beside("9", "measured gain", "rows_measured",
                      [](const Given& a) { return measured_gains(a.notebook); }),
      number("10", "third law: instructions", "third_law_instructions", third_law_instructions,
             exactly),
      follows("10", "bound on paper, a cycle", "third_law_bound", by_hand, both,
              bound("third_law_instructions", 2))
          .in(Unit::a_cycle),
      choice("10", "why is it not twice as fast", "third_law_why", 0x1f1c4fc7),
  };
}

std::function<NotebookNumbers(const Given&)> speed_up_at(double n) {
  return [n](const Given& a) { return speed_ups_of_threads(a.notebook, n, any_number); };
}

Questions measured() {
  return {
      recorded_beside("11", "speed-up with 256 bodies", "speed_up_at_256", speed_up_at(256)),
      recorded_beside("11", "speed-up with 10000 bodies", "speed_up_at_10000", speed_up_at(10000)),
      recorded("11", "threads pay from n =", "threads_pay_from"),
      recorded("12", "double, predicted", "double_predicted"),
      recorded("12", "double, measured", "double_measured"),
      choice("12", "why more than 2", "double_why", 0xafaf57aa),
      counts("13", exact_count, {{"flops of {mine}", "mine_flops", counted_of_mine("flops")}})
          .in(Unit::operations),
      counts("13", exact_count, {{"fma of {mine}", "mine_fma", counted_of_mine("fma")}})
          .in(Unit::fma),
      recorded_beside("13", "10^9 interactions/s", "interactions_here",
                      [](const Given& a) {
                        return giga_interactions_per_s(a.notebook, {a.text("mine"), 5000, 1});
                      }),
      recorded("13", "clock, GHz", "clock_here"),
      recorded("13", "bound here, interactions a cycle", "bound_here"),
      follows("13", "share of the bound, %", "reached_percent", here, "speed, clock and bound",
              share_of_bound)
          .in(Unit::percent),
      notebook("14", 6),
  };
}

}  // namespace

PartQuestions questions_of_part() {
  return {"part2",
          in_order({layout_and_counts(), lanes(), steps(), measured()}),
          {"mine"},
          paper_machine,
          {"3"}};
}

}  // namespace nbody
