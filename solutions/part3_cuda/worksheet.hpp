#pragma once

#include "worksheet/part3_answers.hpp"

namespace nbody {

// The worksheet of part 3, answered; the questions are in part3_cuda/worksheet.hpp. What was
// measured (12, 19) holds for one H200 and is recorded only.
inline Part3Answers answers(double n) {
  const double pairs = n * (n - 1);
  Part3Answers a;
  a.authors = "Ada Lovelace";

  // The paper GPU of Ada Lovelace: 76 multiprocessors with 128 units, 1.95 GHz, 1150 GB/s; a copy
  // takes 8 us and 14 GB/s, an empty kernel 5 us; naive's kernels 200 us and 20 ms.
  a.peak = 76 * 128 * 1.95 * 2 / 1000;

  a.blocks_of_128 = 8;
  a.idle_threads = 24;
  a.smallest_n_of_64 = 75 * 64 + 1;
  a.smallest_n_of_1024 = 75 * 1024 + 1;
  a.resident_blocks = 3;  // 65536 / (256 * 80), rounded down

  a.error_told_by = 'c';
  a.clock_shows = 'b';

  a.fixed_step = {2 * 40 * n, 2 * 40 * n};  // a body is ten numbers
  a.adaptive_step = {3 * 40 * n, 2 * 40 * n + 4};
  a.copies = 4;

  const double few = 4 * (8 + 40e3 / 14e3);  // us
  a.few.percent = 100 * few / (few + 200);
  a.few.gain = 1 + few / 200;
  const double many = 4 * (8 + 4e6 / 14e3);
  a.many.percent = 100 * many / (many + 20e3);
  a.many.gain = 1 + many / 20e3;

  a.naive.add = 9 * pairs;           // dx, dy, dz; three under the root; three sums
  a.naive.mul = 10 * pairs + 3 * n;  // four squares; three for the pull; three sums; G behind
  a.naive.div = pairs;
  a.naive.sqrt = pairs;

  a.instructions_gone = 'b';

  a.naive_global = {7 * pairs, 3 * n};  // the position of i each time, too
  a.naive_shared = {0, 0};
  // Positions of j and i; velocity and acceleration of i; all steps. Each step, and the smallest.
  a.time_step_global = {6 * pairs + 6 * n + n, n + 1};
  // 256 threads store what they found; 255 times two are compared and the smaller one is stored;
  // the last one is loaded once more.
  a.time_step_shared = {2 * 255 + 1, 256 + 255};

  a.why_no_coalescing = 'a';

  a.tile_global_loads = 4 * n * n / 256;  // n / 256 blocks load all bodies
  a.tile_shared_stores = 4 * n * n / 256;
  a.tile_shared_loads = 4 * n * n;
  a.times_loaded = n / 256;

  a.first_barrier = 'd';
  a.second_barrier = 'a';
  a.early_return = 'c';

  a.blocks_of_several = 2;
  a.busy_percent = 100 * 2.0 / 76;
  a.several_pay_from = 131072;

  a.threads_a_body = 5;  // 32 blocks with one, 2 * 76 are wanted
  a.steps_by_launches = 1e6 / (2 * 5);

  a.third_law_gain = 2 * 13.3 / 17.8;
  a.third_law_bound = 2 * 76 * 128 * 1.95 / 17.8;
  a.why_no_atomics = 'b';

  a.intensity = (21 * pairs + 3 * n) / (7 * 4 * n);
  a.intensity_as_written = (21 * pairs + 3 * n) / (4 * (7 * pairs + 3 * n));
  a.ridge = 1000 * a.peak / 1150;
  a.tile_intensity = 20.0 / 16;
  a.tile_intensity_delivered = 32 * 20.0 / 16;

  a.limit_of_few = 'c';
  a.limit_of_many = 'b';

  a.most_percent = 100 * 20 / (2 * 13.3);
  a.most_percent_of_third_law = 100 * 2 * 20 / (2 * 17.8);
  a.why_above_the_peak = 'a';

  // 13: the empty kernel, and 18 are your own.
  a.mine = "mine_third_law";
  a.few_here = 533;
  a.many_here = 3043;  // 131072 bodies
  a.peak_here = 66.9;
  a.reached_percent = 91;
  return a;
}

inline double flops_per_iteration(double n) {
  const FlopCounts naive = answers(n).naive;
  return naive.add + naive.mul + naive.div + naive.sqrt;
}
inline double flops_per_iteration_of_mine(double n) { return answers(n).mine_flops; }

}  // namespace nbody
