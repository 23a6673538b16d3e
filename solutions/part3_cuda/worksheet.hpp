#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 3, answered; the questions are in part3_cuda/worksheet.hpp. Measured
// answers (12, 19) hold for one H200 and are only recorded.
struct Worksheet {
  double n;  // number of bodies
  double pairs = n * (n - 1);

  std::string authors = "Ada Lovelace";

  // The hypothetical GPU of Ada Lovelace: 76 multiprocessors with 128 units, 1.95 GHz, 1150 GB/s; a
  // copy takes 8 us and 14 GB/s, an empty kernel 5 us; naive's kernels 200 us and 20 ms.
  double peak = 76 * 128 * 1.95 * 2 / 1000;

  double blocks_of_128 = 8;
  double idle_threads = 24;
  double smallest_n_of_64 = 75 * 64 + 1;
  double smallest_n_of_1024 = 75 * 1024 + 1;
  double resident_blocks = 3;  // 65536 / (256 * 80), rounded down
  double occupancy_percent = 100 * 3 * 256.0 / 2048;

  char error_told_by = 'c';
  char clock_shows = 'b';

  double fixed_step_to_gpu = 2 * 40 * n;  // a body is ten numbers
  double fixed_step_from_gpu = 2 * 40 * n;
  double adaptive_step_to_gpu = 3 * 40 * n;
  double adaptive_step_from_gpu = 2 * 40 * n + 4;
  double copies = 4;

  const double few = 4 * (8 + 40e3 / 14e3);  // us
  double few_copies_percent = 100 * few / (few + 200);
  double few_gain = 1 + few / 200;
  const double many = 4 * (8 + 4e6 / 14e3);
  double many_copies_percent = 100 * many / (many + 20e3);
  double many_gain = 1 + many / 20e3;

  double naive_add = 9 * pairs;           // dx, dy, dz; three under the root; three sums
  double naive_mul = 10 * pairs + 3 * n;  // four squares; three for the weight; three sums; G last
  double naive_div = pairs;
  double naive_sqrt = pairs;

  char instructions_gone = 'b';

  double naive_global_loads = 7 * pairs;  // the position of i each time, too
  double naive_global_stores = 3 * n;
  double naive_shared_loads = 0;
  double naive_shared_stores = 0;
  // Positions of j and i; velocity and acceleration of i; all steps. Each step, and the smallest.
  double time_step_global_loads = 6 * pairs + 6 * n + n;
  double time_step_global_stores = n + 1;
  // 256 threads store their results; 255 times two are compared and the smaller one is stored; the
  // last one is loaded once more.
  double time_step_shared_loads = 2 * 255 + 1;
  double time_step_shared_stores = 256 + 255;

  char why_no_coalescing = 'a';

  double tile_global_loads = 4 * n * n / 256;  // n / 256 blocks load all bodies
  double tile_shared_stores = 4 * n * n / 256;
  double tile_shared_loads = 4 * n * n;
  double times_loaded = n / 256;

  char first_barrier = 'd';
  char second_barrier = 'a';
  char early_return = 'c';

  double blocks_of_several = 2;
  double busy_percent = 100 * 2.0 / 76;
  double several_pay_from = 131072;

  double threads_a_body = 5;  // 32 blocks with one, 2 * 76 are wanted
  double steps_by_launches = 1e6 / (2 * 5);
  double empty_kernel_here = unanswered;  // your own

  double third_law_gain = 2 * 13.3 / 17.8;
  double third_law_bound = 2 * 76 * 128 * 1.95 / 17.8;
  char why_no_atomics = 'b';

  double intensity = (21 * pairs + 3 * n) / (7 * 4 * n);
  double intensity_as_written = (21 * pairs + 3 * n) / (4 * (7 * pairs + 3 * n));
  double ridge = 1000 * peak / 1150;
  double tile_intensity = 20.0 / 16;
  double tile_intensity_delivered = 32 * 20.0 / 16;

  char limit_of_few = 'c';
  char limit_of_many = 'b';

  double most_percent = 100 * 20 / (2 * 13.3);
  double most_percent_of_third_law = 100 * 2 * 20 / (2 * 17.8);
  char why_above_the_peak = 'a';

  std::string mine = "mine_third_law";
  double mine_flops = unanswered;  // these five are your own
  double mine_global_loads = unanswered;
  double mine_global_stores = unanswered;
  double mine_shared_loads = unanswered;
  double mine_shared_stores = unanswered;
  double few_here = 537;
  double many_here = 3065;  // 131072 bodies
  // Your own, judged by build/ceilings.json: 66.1 on one H200, and 93 % of it.
  double peak_here = unanswered;
  double reached_percent = unanswered;

  // tiles with 65536 bodies on one H200 (data/results/part3_study_block.json)
  double block_predicted = 256;
  double block_measured = 512;
  double block_gain_percent = 5.1;
  double block_spread = 0.3;
  char blocks_differ = 'a';

  double instructions_before = unanswered;  // your own: ./lab bound part3 mine
  double instructions_after = unanswered;
  double slot_gain = unanswered;  // the first over the second
  char integer_instruction = 'd';

  // Question 6: flops of one iteration, for the Gflop/s of `./lab run part3 naive -v` and of your
  // versions.
  double flops_of_naive() const { return naive_add + naive_mul + naive_div + naive_sqrt; }
};

}  // namespace nbody
