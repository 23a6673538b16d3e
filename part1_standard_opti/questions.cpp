// How the answers in worksheet.hpp are judged. One more question: its words and its answer go
// there, its row here (common/worksheet/question.hpp says what kinds there are).
#include <fmt/format.h>

#include <cmath>

#include "paper_machine.hpp"
#include "worksheet/question.hpp"

namespace nbody {
namespace {

constexpr double exact_count = 0.005;  // one operation of 40 is 2.5 %, N against N - 1 is 0.1 %
// Rows of body i may be loaded once or twice, the minus n of i = j may be there or not: each 0.1 %.
constexpr double count_in_registers = 0.01;
constexpr double by_hand = 0.02;  // three digits, rounded
constexpr double here = 0.05;     // ceilings repeat within that
constexpr double percent_points = 0.02;
constexpr double bytes_of_float = 4;
constexpr double any_size = 0;

// What the naive's profile usually says (docs/reading_gprof.md); farther off is worth a look.
auto usually(double percent) {
  return [percent](double answer) -> std::string {
    constexpr double far = 15;
    if (std::abs(answer - percent) <= far) return "";
    const std::string slip =
        slip_in(Unit::percent, {answer, answer}, {percent, percent}, far / percent);
    return slip.empty() ? "unusual: look again" : slip;
  };
}

double flops_of_naive(const Given& a) {
  return a["naive_add"] + a["naive_mul"] + a["naive_div"] + a["naive_sqrt"] + a["naive_pow"];
}

double intensity(const Given& a) {
  return flops_of_naive(a) / (bytes_of_float * (a["naive_loads"] + a["naive_stores"]));
}

double intensity_in_registers(const Given& a) {
  const double memops = a["naive_loads_in_registers"] + a["naive_stores_in_registers"];
  return flops_of_naive(a) / (bytes_of_float * memops);
}

// NaN without authors.
double paper_peak(const Given& a) {
  return a.text("authors").empty() ? unanswered : paper_machine_of(a.text("authors")).peak;
}

Formula attainable_on_paper(const std::string& intensity) {
  return [intensity](const Given& a) {
    if (a.text("authors").empty() || !is_answered(a[intensity])) return unanswered;
    const PaperMachine machine = paper_machine_of(a.text("authors"));
    return attainable(a[intensity], machine.peak, machine.bandwidth);
  };
}

// a: by computing both, b: by memory both, c: memory as written only, d: in registers only.
char bound_on_paper(const Given& a) {
  const double peak = paper_peak(a), written = a["attainable_on_paper"];
  const double registers = a["attainable_on_paper_in_registers"];
  if (!is_answered(written) || !is_answered(registers) || !is_answered(peak)) return no_choice;
  const bool memory_written = written < peak * (1 - by_hand);
  const bool memory_registers = registers < peak * (1 - by_hand);
  if (memory_written) return memory_registers ? 'b' : 'c';
  return memory_registers ? 'd' : 'a';
}

double attainable_here(const Given& a) {
  const double peak = a["peak_here"], bandwidth = a["bandwidth_here"];
  // std::min(peak, NaN) is peak.
  if (!is_answered(a["intensity"]) || !is_answered(peak) || !is_answered(bandwidth)) {
    return unanswered;
  }
  return attainable(a["intensity"], peak, bandwidth);
}

double third_law_flops_ratio(const Given& a) {
  const auto flops_of = [&](const std::string& version) {
    const std::string& name = a.text(version);
    return name.empty() ? std::nullopt : a.counted(name, "flops", judged_sizes[0]);
  };
  const auto before = flops_of("before_third_law"), after = flops_of("third_law");
  return before && after ? *after / *before : unanswered;
}

// Karp and Flatt 1990.
double serial_fraction(const Given& a) {
  const double share = 1 / a["threads"];
  return (1 / a["speed_up_with_threads"] - share) / (1 - share);
}

std::string paper_machine(const std::string& authors) {
  const PaperMachine machine = paper_machine_of(authors);
  return fmt::format("peak {:.1f} Gflop/s, with fma {:.1f} Gflop/s, bandwidth {:.1f} GB/s",
                     machine.peak, machine.peak_with_fma, machine.bandwidth);
}

Questions profile_and_counts() {
  return {
      text("0", "authors", "authors"),
      recorded("1", "profile: forces, %", "forces_percent", usually(78)),
      recorded("1", "profile: nearest neighbours, %", "neighbours_percent", usually(22)),
      follows("2", "speed-up if forces cost nothing", "speed_up_without_forces", by_hand,
              "question 1", [](const Given& a) { return 1 / (1 - a["forces_percent"] / 100); })
          .in(Unit::ratio),
      counts("3", exact_count,
             {{"flops of naive: add, subtract", "naive_add", counted("add")},
              {"multiply", "naive_mul", counted("mul")},
              {"divide", "naive_div", counted("div")},
              {"sqrt", "naive_sqrt", counted("sqrt")},
              {"pow", "naive_pow", counted("pow")}},
             "flops of naive, all")
          .in(Unit::operations),
      counts("4", exact_count,
             {{"memops of naive: loads", "naive_loads", counted("loads")},
              {"stores", "naive_stores", counted("stores")}},
             "memops of naive, all")
          .in(Unit::numbers),
      // Mass and position of j for every interaction; of i, and its three sums, once a row.
      counts("5", count_in_registers,
             {{"loads, body i and sums in registers", "naive_loads_in_registers",
               formula([](double n) { return 4 * n * n; })},
              {"stores, body i and sums in registers", "naive_stores_in_registers",
               formula([](double n) { return 3 * n; })}},
             "memops in registers, all")
          .in(Unit::numbers),
  };
}

Questions roofline() {
  return {
      follows("6", "flop/byte as written, float", "intensity", by_hand, "questions 3 and 4",
              intensity)
          .in(Unit::flop_per_byte),
      follows("6", "flop/byte in registers, float", "intensity_in_registers", by_hand,
              "questions 3 and 5", intensity_in_registers)
          .in(Unit::flop_per_byte),
      follows("7", "paper machine, as written, Gflop/s", "attainable_on_paper", by_hand,
              "questions 0 and 6", attainable_on_paper("intensity"))
          .in(Unit::gflops),
      follows("7", "paper machine, in registers, Gflop/s", "attainable_on_paper_in_registers",
              by_hand, "questions 0 and 6", attainable_on_paper("intensity_in_registers"))
          .in(Unit::gflops),
      choice_that_follows("8", "paper machine: bound by", "bound_on_paper", "question 7",
                          bound_on_paper),
      recorded("9", "this machine: peak, Gflop/s", "peak_here"),
      recorded("9", "this machine: bandwidth, GB/s", "bandwidth_here"),
      follows("9", "this machine: attainable, Gflop/s", "attainable_here", here,
              "questions 6 and 9", attainable_here)
          .in(Unit::gflops),
      recorded("10", "naive, measured, Gflop/s", "naive_gflops_here"),
      follows("10", "share of attainable, %", "reached_percent", here, "questions 9 and 10",
              [](const Given& a) { return 100 * a["naive_gflops_here"] / a["attainable_here"]; })
          .in(Unit::percent),
      choice("10", "what limits it", "limited_by", 0x72310661),
      choice("11", "interactions/s with more bodies", "with_more_bodies", 0xcd9b48f3),
      number("12", "time with 20000 bodies over 1000", "time_ratio", 400, 0.1).in(Unit::ratio),
  };
}

Questions own_versions() {
  return {
      counts("13", exact_count, {{"flops of {mine}", "mine_flops", counted_of_mine("flops")}})
          .in(Unit::operations),
      counts("13", exact_count,
             {{"loads of {mine}", "mine_loads", counted_of_mine("loads")},
              {"stores of {mine}", "mine_stores", counted_of_mine("stores")}},
             "memops of {mine}, all")
          .in(Unit::numbers),
      notebook("14", 4),
      follows("15", "third law: flops over those before", "third_law_flops_ratio", by_hand,
              "a counted version behind both names", third_law_flops_ratio)
          .in(Unit::ratio),
      choice("16", "why is it not twice as fast", "third_law_why", 0x47e0a4a0),
      number("17", "share of pairs in the first block, %", "first_block_percent", 75,
             percent_points)
          .in(Unit::percent),
      number("17", "best speed-up of two blocks", "best_speed_up_of_blocks", 4.0 / 3, 0.015)
          .in(Unit::ratio),
      recorded("18", "threads", "threads"),
      recorded_beside(
          "18", "speed-up with them", "speed_up_with_threads",
          [](const Given& a) { return speed_ups_of_threads(a.notebook, any_size, a["threads"]); }),
      follows("18", "serial fraction", "serial_fraction", by_hand, "threads and speed-up",
              serial_fraction)
          .in(Unit::share),
      recorded("19", "largest error of the race", "error_of_race"),
      choice("19", "which of them pass the check", "which_pass", 0x83792d76),
  };
}

}  // namespace

PartQuestions questions_of_part() {
  return {"part1",
          in_order({profile_and_counts(), roofline(), own_versions()}),
          {"mine", "before_third_law", "third_law"},
          paper_machine,
          {"3", "4"}};
}

}  // namespace nbody
