// How the answers in worksheet.hpp are judged. One more question: its words and its answer go
// there, its row here (common/worksheet/question.hpp says what kinds there are).
#include <fmt/format.h>

#include "cuda/geometry.hpp"
#include "paper_machine.hpp"
#include "worksheet/question.hpp"

namespace nbody {
namespace {

constexpr double any_threads = 0;

constexpr double exact_count = 0.005;  // one operation of 40 is 2.5 %, N against N - 1 is 0.1 %
constexpr double exactly = 1e-6;
constexpr double by_hand = 0.02;        // three digits, rounded
constexpr double gain_by_hand = 0.005;  // gains are close to 1
constexpr double here = 0.05;           // clocks drift by that
// What the questions fix.
constexpr double bytes_of_body = 10 * 4;  // a body of floats
constexpr double bytes_of_need = 7 * 4;   // mass and position in, acceleration out
constexpr double tile = 256;
constexpr double slots = 13.3, slots_of_pair = 17.8;
constexpr double flops_of_literature = 20;
// A warp of 32 threads reads the same body of a tile, four numbers.
constexpr double tiled_intensity = flops_of_literature / (4 * 4);

const std::string time_step = "largest_time_step";

// What follows from the paper GPU and the answers before; NaN without one.
template <typename Of>
Formula on_paper(Of of) {
  return [of](const Given& a) -> double {
    return a.text("authors").empty() ? unanswered : of(paper_device_of(a.text("authors")), a);
  };
}

Formula smallest_n(unsigned block) {
  return on_paper([block](const PaperDevice& gpu, const Given&) {
    return smallest_n_for_all(static_cast<unsigned>(gpu.multiprocessors), block);
  });
}

// Of the copies of an iteration, in percent. The answers to question 4 are linear in n.
Formula share_of_copies(double n, double (*kernels)(const PaperDevice&)) {
  return on_paper([=](const PaperDevice& gpu, const Given& a) {
    const double bytes = (a["fixed_step_to_gpu"] + a["fixed_step_from_gpu"]) / judged_sizes[0] * n;
    const double copies = copy_seconds(gpu, a["copies"], bytes);
    return 100 * copies / (copies + kernels(gpu));
  });
}
double few_kernels(const PaperDevice& gpu) { return gpu.kernels_few_us / 1e6; }
double many_kernels(const PaperDevice& gpu) { return gpu.kernels_many_ms / 1e3; }

Formula gain_without(const std::string& percent) {
  return [percent](const Given& a) { return 1 / (1 - a[percent] / 100); };
}

double flops_of_naive(const Given& a) {
  return a["naive_add"] + a["naive_mul"] + a["naive_div"] + a["naive_sqrt"];
}

double share_of_peak(const Given& a) {
  return 100 * flops_of_literature * a["many_here"] / (1e3 * a["peak_here"]);
}

std::string paper_machine(const std::string& authors) {
  const PaperDevice device = paper_device_of(authors);
  return fmt::format(
      "a GPU of {} multiprocessors with {} float units each, {:.2f} GHz, memory {:.0f} GB/s;\n"
      "  a copy takes {:.0f} us and {:.0f} GB/s, an empty kernel {:.1f} us; the kernels of an\n"
      "  iteration of naive take {:.0f} us with 1000 bodies, {:.0f} ms with 100 000",
      device.multiprocessors, device.float_units, device.clock, device.bandwidth,
      device.copy_start_us, device.bus, device.launch_us, device.kernels_few_us,
      device.kernels_many_ms);
}

Questions launches() {
  return {
      text("0", "authors", "authors"),
      follows("1", "peak of the paper GPU, Tflop/s", "peak", by_hand, "question 0",
              on_paper([](const auto& gpu, const auto&) { return peak_of(gpu); }))
          .in(Unit::tflops),
      number("2", "blocks of 128 for 1000 bodies", "blocks_of_128", blocks_for(1000, 128), exactly),
      number("2", "idle threads of the last one", "idle_threads", idle_threads(1000, 128), exactly),
      follows("2", "smallest n, blocks of 64", "smallest_n_of_64", exactly, "question 0",
              smallest_n(64)),
      follows("2", "smallest n, blocks of 1024", "smallest_n_of_1024", exactly, "question 0",
              smallest_n(1024)),
      // 65536 registers / (80 x 256 of a block) is 3.2; 2048 threads would allow 8.
      number("2", "blocks at once with 80 registers", "resident_blocks", 3, exactly),
      choice("3", "an error in a kernel is told by", "error_told_by", 0x42bf432c),
      choice("3", "a clock right behind a launch", "clock_shows", 0x92c01b64),
  };
}

// By the functions of naive.cuh: each copies all bodies to the GPU, two copy them back, and of the
// time step one number comes back.
Question bytes_copied(const std::string& step, const std::string& answer, int to, int from,
                      int besides) {
  Question asked =
      counts("4", exact_count,
             {{step + " step, bytes to the GPU", answer + "_to_gpu",
               formula([=](double n) { return to * bytes_of_body * n; })},
              {step + " step, bytes from the GPU", answer + "_from_gpu",
               formula([=](double n) { return from * bytes_of_body * n + besides; })}});
  asked.most_told = Disclosure::which;  // a difference an interaction says nothing here
  return asked.in(Unit::bytes);
}

Questions copies() {
  const std::string machine = "questions 0 and 4";
  return {
      bytes_copied("fixed", "fixed_step", 2, 2, 0),
      bytes_copied("adaptive", "adaptive_step", 3, 2, 4),
      number("4", "fixed step, copies", "copies", 4, exactly),
      follows("5", "1000 bodies: share of copies, %", "few_copies_percent", by_hand, machine,
              share_of_copies(1000, few_kernels))
          .in(Unit::percent),
      follows("5", "1000 bodies: gain without them", "few_gain", gain_by_hand, "the share",
              gain_without("few_copies_percent"))
          .in(Unit::ratio),
      follows("5", "100 000 bodies: share of copies, %", "many_copies_percent", by_hand, machine,
              share_of_copies(100000, many_kernels))
          .in(Unit::percent),
      follows("5", "100 000 bodies: gain without them", "many_gain", gain_by_hand, "the share",
              gain_without("many_copies_percent"))
          .in(Unit::ratio),
  };
}

// Loads and stores of a function in one space, "" or "shared_".
Question accesses(const std::string& what, const std::string& answer, const std::string& space,
                  const std::string& function, double tolerance) {
  return counts("8", tolerance,
                {{what + " loads", answer + "_loads", counted(space + "loads", function)},
                 {what + " stores", answer + "_stores", counted(space + "stores", function)}},
                what + ", all")
      .in(Unit::numbers);
}

Questions counts_of_naive() {
  return {
      counts("6", exact_count,
             {{"flops of naive: add, subtract", "naive_add", counted("add")},
              {"multiply", "naive_mul", counted("mul")},
              {"divide", "naive_div", counted("div")},
              {"sqrt", "naive_sqrt", counted("sqrt")}},
             "flops of naive, all")
          .in(Unit::operations),
      choice("7", "instructions go, time stays", "instructions_gone", 0xd58ff5e6),
      accesses("forces: global", "naive_global", "", forces, exact_count),
      accesses("forces: shared", "naive_shared", "shared_", forces, exactly),
      accesses("time step: global", "time_step_global", "", time_step, exact_count),
      accesses("time step: shared", "time_step_shared", "shared_", time_step, exactly),
      choice("9", "nothing to coalesce", "why_no_coalescing", 0x5b91701d),
  };
}

Questions tiles() {
  const auto of_tiles = [](const std::string& text, const std::string& answer, auto truth) {
    return counts("10", exact_count, {{text, answer, formula(truth)}}).in(Unit::numbers);
  };
  const auto tile_by_tile = [](double n) { return 4 * n * n / tile; };
  return {
      of_tiles("tiles: global loads", "tile_global_loads", tile_by_tile),
      of_tiles("tiles: shared stores", "tile_shared_stores", tile_by_tile),
      of_tiles("tiles: shared loads", "tile_shared_loads", [](double n) { return 4 * n * n; }),
      of_tiles("how often a body is loaded", "times_loaded", [](double n) { return n / tile; })
          .in(Unit::none),
      choice("11", "the first barrier", "first_barrier", 0x8ccc2917),
      choice("11", "the second barrier", "second_barrier", 0x5a42c178),
      choice("11", "return in front of the loop", "early_return", 0x65e929f4),
  };
}

Questions few_and_many() {
  return {
      number("12", "blocks of several bodies a thread", "blocks_of_several", 2, exactly),
      follows("12", "multiprocessors with work, %", "busy_percent", by_hand, "question 0",
              on_paper([](const auto& gpu, const auto&) { return 200.0 / gpu.multiprocessors; }))
          .in(Unit::percent),
      recorded("12", "several bodies pay from n =", "several_pay_from"),
      follows("13", "threads for a body", "threads_a_body", exactly, "question 0",
              on_paper([](const auto& gpu, const auto&) {
                return slices_to_fill(4096, 128, static_cast<unsigned>(gpu.multiprocessors), 2);
              })),
      follows("13", "steps a second by launches", "steps_by_launches", by_hand, "question 0",
              on_paper([](const auto& gpu, const auto&) { return 1e6 / (2 * gpu.launch_us); })),
      recorded("13", "an empty kernel here, us", "empty_kernel_here"),
      number("14", "third law: most to gain", "third_law_gain", 2 * slots / slots_of_pair, by_hand)
          .in(Unit::ratio),
      follows("14", "bound, 10^9 interactions/s", "third_law_bound", by_hand, "question 0",
              on_paper(
                  [](const auto& gpu, const auto&) { return 1e3 * peak_of(gpu) / slots_of_pair; })),
      choice("14", "no atomic additions", "why_no_atomics", 0x09cfc944),
  };
}

Questions roofline() {
  return {
      follows("15", "flop/byte, each number once", "intensity", by_hand, "question 6",
              [](const Given& a) { return flops_of_naive(a) / (bytes_of_need * judged_sizes[0]); })
          .in(Unit::flop_per_byte),
      follows("15", "flop/byte, as written", "intensity_as_written", by_hand, "questions 6 and 8",
              [](const Given& a) {
                const double memops = a["naive_global_loads"] + a["naive_global_stores"];
                return flops_of_naive(a) / (4 * memops);
              })
          .in(Unit::flop_per_byte),
      follows(
          "15", "ridge point of the paper GPU", "ridge", by_hand, "questions 0 and 1",
          on_paper([](const auto& gpu, const auto& a) { return 1e3 * a["peak"] / gpu.bandwidth; })),
      number("15", "tiles: flop/byte asked for", "tile_intensity", tiled_intensity, by_hand)
          .in(Unit::flop_per_byte),
      number("15", "tiles: flop/byte delivered", "tile_intensity_delivered", 32 * tiled_intensity,
             by_hand)
          .in(Unit::flop_per_byte),
      choice("16", "what limits naive, 1000 bodies", "limit_of_few", 0xb3e5edf2),
      choice("16", "what limits naive, 100 000", "limit_of_many", 0x7174b07a),
      number("17", "most of the peak, %", "most_percent", 100 * flops_of_literature / (2 * slots),
             by_hand)
          .in(Unit::percent),
      number("17", "most of it by the third law, %", "most_percent_of_third_law",
             100 * flops_of_literature / slots_of_pair, by_hand)
          .in(Unit::percent),
      choice("17", "above the peak", "why_above_the_peak", 0x80eca24e),
  };
}

// Counted where there is a GPU; elsewhere the lines say that they were not.
std::function<NotebookNumbers(const Given&)> speed_at(double n) {
  return [n](const Given& a) {
    return giga_interactions_per_s(a.notebook, {a.text("mine"), n, any_threads});
  };
}

Questions own_version() {
  const auto accesses_of_mine = [](const std::string& name, const std::string& kind) {
    return counts("18", exact_count,
                  {{name + " loads of {mine}", "mine_" + name + "_loads",
                    counted_of_mine(kind + "loads")},
                   {name + " stores of {mine}", "mine_" + name + "_stores",
                    counted_of_mine(kind + "stores")}},
                  name + " of {mine}, all")
        .in(Unit::numbers);
  };
  return {
      counts("18", exact_count, {{"flops of {mine}", "mine_flops", counted_of_mine("flops")}})
          .in(Unit::operations),
      accesses_of_mine("global", ""),
      accesses_of_mine("shared", "shared_"),
      recorded_beside("19", "1000 bodies, 10^9 interactions/s", "few_here", speed_at(1000)),
      recorded_beside("19", "100 000 bodies, 10^9 interactions/s", "many_here", speed_at(100000)),
      recorded("19", "peak of this GPU, Tflop/s", "peak_here"),
      follows("19", "share of it by 20 flops, %", "reached_percent", here, "speed and peak",
              share_of_peak)
          .in(Unit::percent),
      notebook("20", 6),
  };
}

}  // namespace

PartQuestions questions_of_part() {
  return {"part3",
          in_order({launches(), copies(), counts_of_naive(), tiles(), few_and_many(), roofline(),
                    own_version()}),
          {"mine"},
          paper_machine,
          {"6", "8"},
          {forces, time_step}};  // most versions keep the time step of naive
}

}  // namespace nbody
