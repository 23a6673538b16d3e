#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 1, answered; the questions are in part1_standard_opti/worksheet.hpp.
// Measured answers (1, 9, 10, 18, 19) hold for one machine and are only recorded. The versions of
// question 15 are the ladder's, under a student's names.
struct Worksheet {
  double n;  // number of bodies
  double pairs = n * (n - 1);

  std::string authors = "Ada Lovelace";

  double forces_percent = 74;
  double neighbours_percent = 23;
  double speed_up_without_forces = 3.85;  // 1 / (1 - 0.74)

  double naive_add = 9 * pairs;  // dx, dy, dz; two and the softening under the root; three sums
  double naive_mul = 5 * pairs;  // G m m; force times dx/d, dy/d, dz/d
  double naive_div = 7 * pairs;  // by d^2; three by d; three by the mass
  double naive_sqrt = pairs;
  double naive_pow = 5 * pairs;  // four under the root, one of the distance
  // Two positions, two masses, and for each sum itself and the mass again.
  double naive_loads = (6 + 2 + 3 * 2) * pairs;
  double naive_stores = 3 * pairs + 3 * n;  // each sum for each pair; zero at the start
  double naive_loads_in_registers = 4 * pairs + 4 * n;
  double naive_stores_in_registers = 3 * n;

  double intensity = 27.0 / (4 * 17);
  double intensity_in_registers = 27.0 / (4 * 4);
  // The hypothetical machine of Ada Lovelace: 6.6 Gflop/s, 25.1 GB/s. The roof bends at 6.6 / 25.1
  // = 0.26 flop/byte, left of both.
  double attainable_on_paper = 6.6;
  double attainable_on_paper_in_registers = 6.6;
  char bound_on_paper = 'a';

  // Your own, judged by build/ceilings.json. On one machine 12.1 and 48.7, so 12.1, of which naive
  // reached 50 %.
  double peak_here = unanswered;
  double bandwidth_here = unanswered;
  double attainable_here = unanswered;
  double naive_gflops_here = 6.1;  // 0.226 x 10^9 interactions/s of 27 flops each
  double reached_percent = unanswered;
  char limited_by = 'd';

  char with_more_bodies = 'c';
  char with_more_bodies_why = 'b';
  double time_ratio = 400;

  std::string mine = "mine_third_law";
  double mine_flops = 13 * n * n - 6 * n + 1;
  double mine_loads = 4 * n * n + 4 * n;
  double mine_stores = unanswered;  // they depend on where the bodies are: not asked
  std::string before_third_law = "mine_fused";
  std::string third_law = "mine_third_law";
  double third_law_flops_ratio = 13.0 / 18;
  char third_law_why = 'b';

  double first_block_percent = 75;
  double best_speed_up_of_blocks = 4.0 / 3;
  double threads = 2;
  // 0.816 over 0.427: openmp in the two files of data/results. A fraction below 0 means that the
  // two runs were not measured alike.
  double speed_up_with_threads = 1.91;
  double serial_fraction = 0.047;
  double error_of_race = 0.5;
  char which_pass = 'b';

  double cycles_before = unanswered;  // your own: ./lab bound part1 mine
  double cycles_predicted = unanswered;
  double cycles_after = unanswered;
  double measured_gain = unanswered;  // the first over the third
  char other_port = 'c';              // a full unit has as much work as before
  // Your own: DRAM copy / 80 bytes, since whole lines return.
  double drift_from_memory = unanswered;

  // Task 3: flops of one iteration, for the Gflop/s of `./lab run part1 naive -v` and of your
  // versions.
  double flops_of_naive() const {
    return naive_add + naive_mul + naive_div + naive_sqrt + naive_pow;
  }
};

}  // namespace nbody
