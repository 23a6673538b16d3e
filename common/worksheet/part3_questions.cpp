#include "worksheet/part3_questions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cuda/geometry.hpp"
#include "worksheet/judge.hpp"
#include "worksheet/paper_device.hpp"

namespace nbody {
namespace {

constexpr double exact_count = 0.005;  // one operation of 40 is 2.5 %, N against N - 1 is 0.1 %
constexpr double exactly = 1e-6;
constexpr double by_hand = 0.02;        // three digits, rounded
constexpr double gain_by_hand = 0.005;  // gains are close to 1
constexpr double here = 0.05;           // clocks drift by that
constexpr int wanted_notebook_rows = 6;
// What the questions fix.
constexpr double bytes_of_body = 10 * 4;  // Body<float>
constexpr double bytes_of_need = 7 * 4;   // mass and position in, acceleration out
constexpr double few = 1000, many = 100000;
constexpr double tile = 256;
constexpr double slots = 13.3, slots_of_pair = 17.8;
constexpr double flops_of_literature = 20;

// One part 3 worksheet while it is judged: collects lines.
class Judging {
 public:
  Judging(const std::function<Part3Answers(double)>& answers, const WorksheetTruth& truth)
      : first_(answers(judged_sizes[0])), second_(answers(judged_sizes[1])), truth_(truth) {
    if (!first_.authors.empty()) device_ = paper_device_of(first_.authors);
  }

  Lines all() {
    const bool there = !first_.authors.empty();
    add(Line{"0", "authors", Kind::text, first_.authors, there ? State::noted : State::unanswered,
             there ? "" : "needed: the paper machine is made from them"});
    launches();
    bytes();
    shares_of_copies();
    counts_of_naive();
    tiles();
    few_and_many_blocks();
    third_law();
    roofline();
    own_version();
    notebook();
    return lines_;
  }

 private:
  void add(const Line& line) { lines_.push_back(line); }
  void add(const Lines& lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }

  // What follows from the paper GPU; NaN without one.
  template <typename Formula>
  double on_paper(Formula formula) const {
    return device_ ? formula(*device_) : unanswered;
  }
  template <typename Formula>
  void follows_from_paper(const std::string& number, const std::string& question, double answer,
                          double tolerance, Formula formula) {
    add(judge_follow_through(number, question, answer, on_paper(formula), tolerance, "question 0"));
  }

  // An expression of n; truth by a formula.
  template <typename Answer, typename Formula>
  CountedClass by_formula(const std::string& question, Answer answer, Formula formula) const {
    return {question,
            {answer(first_), answer(second_)},
            AtBothSizes{formula(judged_sizes[0]), formula(judged_sizes[1])}};
  }

  // Truth by counting.
  template <typename Answer>
  CountedClass counted(const std::string& question, const std::optional<TrueCounts>& counts,
                       const std::string& kind, Answer answer) const {
    CountedClass one = {question, {answer(first_), answer(second_)}, std::nullopt};
    if (!counts) return one;
    const auto first = counts->at(kind, judged_sizes[0]),
               second = counts->at(kind, judged_sizes[1]);
    if (first && second) one.truth = AtBothSizes{*first, *second};
    return one;
  }

  void launches() {
    follows_from_paper("1", "peak of the paper GPU, Tflop/s", first_.peak, by_hand, peak_of);
    add(judge_exact("2", "blocks of 128 for 1000 bodies", first_.blocks_of_128,
                    blocks_for(1000, 128), exactly));
    add(judge_exact("2", "idle threads of the last one", first_.idle_threads,
                    idle_threads(1000, 128), exactly));
    const auto for_all = [](unsigned block) {
      return [block](const PaperDevice& device) {
        const auto multiprocessors = static_cast<unsigned>(device.multiprocessors);
        return static_cast<double>(smallest_n_for_all(multiprocessors, block));
      };
    };
    follows_from_paper("2", "smallest n, blocks of 64", first_.smallest_n_of_64, exactly,
                       for_all(64));
    follows_from_paper("2", "smallest n, blocks of 1024", first_.smallest_n_of_1024, exactly,
                       for_all(1024));
    // 65536 registers / (80 x 256 of a block) is 3.2; 2048 threads would allow 8.
    add(judge_exact("2", "blocks at once with 80 registers", first_.resident_blocks, 3, exactly));
    add(judge_choice("3", "an error in a kernel is told by", first_.error_told_by, 0xb696c8c5));
    add(judge_choice("3", "a clock right behind a launch", first_.clock_shows, 0xb596c732));
  }

  // By the functions of naive.cuh: each copies all bodies to the GPU, two copy them back, and of
  // the time step one number comes back.
  void bytes() {
    const auto of = [&](const std::string& step, Copies Part3Answers::*answer, double to,
                        double from, double besides) {
      add(judge_counts(
          "4",
          {by_formula(
               step + ", bytes to the GPU", [&](const auto& a) { return (a.*answer).to_gpu; },
               [&](double n) { return to * bytes_of_body * n; }),
           by_formula(
               step + ", bytes from the GPU", [&](const auto& a) { return (a.*answer).from_gpu; },
               [&](double n) { return from * bytes_of_body * n + besides; })},
          "", exact_count, Disclosure::which));
    };
    of("fixed step", &Part3Answers::fixed_step, 2, 2, 0);
    of("adaptive step", &Part3Answers::adaptive_step, 3, 2, 4);
    add(judge_exact("4", "fixed step, copies", first_.copies, 4, exactly));
  }

  void shares_of_copies() {
    const auto of = [&](const std::string& name, const CopyShare& answer, double n,
                        double kernels) {
      // The answers of question 4 are linear in n.
      const double bytes =
          (first_.fixed_step.to_gpu + first_.fixed_step.from_gpu) / judged_sizes[0] * n;
      const double copies =
          on_paper([&](const auto& d) { return copy_seconds(d, first_.copies, bytes); });
      add(judge_follow_through("5", name + ": share of copies, %", answer.percent,
                               100 * copies / (copies + kernels), by_hand, "questions 0 and 4"));
      add(judge_follow_through("5", name + ": gain without them", answer.gain,
                               1 / (1 - answer.percent / 100), gain_by_hand, "the share"));
    };
    of("1000 bodies", first_.few, few,
       on_paper([](const auto& d) { return d.kernels_few_us / 1e6; }));
    of("100 000 bodies", first_.many, many,
       on_paper([](const auto& d) { return d.kernels_many_ms / 1e3; }));
  }

  void memory(const std::string& name, const std::string& space,
              const std::optional<TrueCounts>& counts, MemoryCounts Part3Answers::*answer,
              const std::string& kind, double tolerance) {
    const std::string what = name + ": " + space;
    add(judge_counts("8",
                     {counted(what + " loads", counts, kind + "loads",
                              [&](const auto& a) { return (a.*answer).loads; }),
                      counted(what + " stores", counts, kind + "stores",
                              [&](const auto& a) { return (a.*answer).stores; })},
                     what + ", all", tolerance, truth_.disclosure));
  }

  void counts_of_naive() {
    const auto forces = truth_.counts_of("naive");
    add(judge_counts("6",
                     {counted("flops of naive: add, subtract", forces, "add",
                              [](const auto& a) { return a.naive.add; }),
                      counted("multiply", forces, "mul", [](const auto& a) { return a.naive.mul; }),
                      counted("divide", forces, "div", [](const auto& a) { return a.naive.div; }),
                      counted("sqrt", forces, "sqrt", [](const auto& a) { return a.naive.sqrt; })},
                     "flops of naive, all", exact_count, truth_.disclosure));
    add(judge_choice("7", "instructions go, time stays", first_.instructions_gone, 0xdd8c78ce));
    const auto steps = truth_.time_step_counts_of("naive");
    memory("forces", "global", forces, &Part3Answers::naive_global, "", exact_count);
    memory("forces", "shared", forces, &Part3Answers::naive_shared, "shared_", exactly);
    memory("time step", "global", steps, &Part3Answers::time_step_global, "", exact_count);
    memory("time step", "shared", steps, &Part3Answers::time_step_shared, "shared_", exactly);
    add(judge_choice("9", "nothing to coalesce", first_.why_no_coalescing, 0xd087e729));
  }

  void tiles() {
    const auto of_tiles = [&](const CountedClass& one) {
      add(judge_counts("10", {one}, "", exact_count, truth_.disclosure));
    };
    of_tiles(by_formula(
        "tiles: global loads", [](const auto& a) { return a.tile_global_loads; },
        [](double n) { return 4 * n * n / tile; }));
    of_tiles(by_formula(
        "tiles: shared stores", [](const auto& a) { return a.tile_shared_stores; },
        [](double n) { return 4 * n * n / tile; }));
    of_tiles(by_formula(
        "tiles: shared loads", [](const auto& a) { return a.tile_shared_loads; },
        [](double n) { return 4 * n * n; }));
    of_tiles(by_formula(
        "how often a body is loaded", [](const auto& a) { return a.times_loaded; },
        [](double n) { return n / tile; }));
    add(judge_choice("11", "the first barrier", first_.first_barrier, 0xea4e5f1f));
    add(judge_choice("11", "the second barrier", first_.second_barrier, 0xe54e5740));
    add(judge_choice("11", "return in front of the loop", first_.early_return, 0xe74e5a66));
  }

  void few_and_many_blocks() {
    add(judge_exact("12", "blocks of several bodies a thread", first_.blocks_of_several, 2,
                    exactly));
    follows_from_paper("12", "multiprocessors with work, %", first_.busy_percent, by_hand,
                       [](const PaperDevice& d) { return 100 * 2.0 / d.multiprocessors; });
    add(record("12", "several bodies pay from n =", first_.several_pay_from));
    follows_from_paper("13", "threads for a body", first_.threads_a_body, exactly,
                       [](const PaperDevice& d) {
                         const auto multiprocessors = static_cast<unsigned>(d.multiprocessors);
                         return static_cast<double>(slices_to_fill(4096, 128, multiprocessors, 2));
                       });
    follows_from_paper("13", "steps a second by launches", first_.steps_by_launches, by_hand,
                       [](const PaperDevice& d) { return 1e6 / (2 * d.launch_us); });
    add(record("13", "an empty kernel here, us", first_.empty_kernel_here));
  }

  void third_law() {
    add(judge_exact("14", "third law: most to gain", first_.third_law_gain,
                    2 * slots / slots_of_pair, by_hand));
    follows_from_paper("14", "bound, 10^9 interactions/s", first_.third_law_bound, by_hand,
                       [](const PaperDevice& d) { return 1e3 * peak_of(d) / slots_of_pair; });
    add(judge_choice("14", "no atomic additions", first_.why_no_atomics, 0x16556028));
  }

  void roofline() {
    const FlopCounts& naive = first_.naive;
    const double flop = naive.add + naive.mul + naive.div + naive.sqrt;
    const double n = judged_sizes[0];
    add(judge_follow_through("15", "flop/byte, each number once", first_.intensity,
                             flop / (bytes_of_need * n), by_hand, "question 6"));
    add(judge_follow_through("15", "flop/byte, as written", first_.intensity_as_written,
                             flop / (4 * memops(first_.naive_global)), by_hand,
                             "questions 6 and 8"));
    add(judge_follow_through(
        "15", "ridge point of the paper GPU", first_.ridge,
        on_paper([&](const auto& d) { return 1e3 * first_.peak / d.bandwidth; }), by_hand,
        "questions 0 and 1"));
    // A warp of 32 threads reads the same body.
    const double tiled = flops_of_literature / (4 * 4);
    add(judge_exact("15", "tiles: flop/byte asked for", first_.tile_intensity, tiled, by_hand));
    add(judge_exact("15", "tiles: flop/byte delivered", first_.tile_intensity_delivered, 32 * tiled,
                    by_hand));
    add(judge_choice("16", "what limits naive, 1000 bodies", first_.limit_of_few, 0x0f50d7f5));
    add(judge_choice("16", "what limits naive, 100 000", first_.limit_of_many, 0x0e50d662));
    add(judge_exact("17", "most of the peak, %", first_.most_percent,
                    100 * flops_of_literature / (2 * slots), by_hand));
    add(judge_exact("17", "most of it by the third law, %", first_.most_percent_of_third_law,
                    100 * flops_of_literature / slots_of_pair, by_hand));
    add(judge_choice("17", "above the peak", first_.why_above_the_peak, 0xf152e752));
  }

  // Counted where there is a GPU; elsewhere the lines say that they were not.
  void own_version() {
    const std::string name = first_.mine;
    const auto counts = truth_.counts_of(name);
    add(judge_counts(
        "18",
        {counted("flops of " + name, counts, "flops", [](const auto& a) { return a.mine_flops; })},
        "", exact_count, truth_.disclosure));
    const auto of = [&](const std::string& space, MemoryCounts Part3Answers::*answer,
                        const std::string& kind) {
      add(judge_counts("18",
                       {counted(space + " loads of " + name, counts, kind + "loads",
                                [&](const auto& a) { return (a.*answer).loads; }),
                        counted(space + " stores of " + name, counts, kind + "stores",
                                [&](const auto& a) { return (a.*answer).stores; })},
                       space + " of " + name + ", all", exact_count, truth_.disclosure));
    };
    of("global", &Part3Answers::mine_global, "");
    of("shared", &Part3Answers::mine_shared, "shared_");
    add(record("19", "1000 bodies, 10^9 interactions/s", first_.few_here));
    add(record("19", "100 000 bodies, 10^9 interactions/s", first_.many_here));
    add(record("19", "peak of this GPU, Tflop/s", first_.peak_here));
    add(judge_follow_through(
        "19", "share of it by 20 flops, %", first_.reached_percent,
        100 * flops_of_literature * first_.many_here / (1e3 * first_.peak_here), here,
        "speed and peak"));
  }

  void notebook() { add(record_notebook("20", truth_.notebook_rows, wanted_notebook_rows)); }

  Part3Answers first_, second_;
  const WorksheetTruth& truth_;
  std::optional<PaperDevice> device_;
  Lines lines_;
};

}  // namespace

Lines judge_part3(const std::function<Part3Answers(double)>& answers, const WorksheetTruth& truth) {
  return Judging(answers, truth).all();
}

std::string reason_to_hide_counts_of_part3(const std::string& name, const Lines& judged,
                                           const WorksheetTruth& truth) {
  const bool counted_right = std::all_of(judged.begin(), judged.end(), [](const Line& line) {
    return (line.number != "6" && line.number != "8") || line.state == State::right;
  });
  const std::string once = "questions 6 and 8 of worksheet.hpp are right (./lab worksheet part3)";
  const std::string reason = reason_to_hide(name, counted_right, truth, once);
  if (!reason.empty()) return reason;
  // The time step of naive is asked, too, and most versions still have it.
  WorksheetTruth of_time_step = truth;
  of_time_step.counts_of = truth.time_step_counts_of;
  return reason_to_hide(name, counted_right, of_time_step, once);
}

}  // namespace nbody
