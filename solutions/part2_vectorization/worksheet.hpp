#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 2, answered; the questions are in part2_vectorization/worksheet.hpp.
// Measured answers (9, 11, 12, 13) hold for one machine and are only recorded.
struct Worksheet {
  double n;  // number of bodies
  double pairs = n * (n - 1);

  std::string authors = "Ada Lovelace";

  char why_structure_of_arrays = 'c';

  char reduction_permits = 'd';
  char no_math_errno_permits = 'a';
  char no_trapping_math_permits = 'b';
  char selection_permits = 'c';

  double naive_add = 9 * pairs;          // dx, dy, dz; three under the root; three sums
  double naive_mul = 8 * pairs + 3 * n;  // four squares; r2 by its root; three by weight; then G
  double naive_div = pairs;
  double naive_sqrt = pairs;

  double avx2_doubles = 4;
  double avx512_floats = 16;
  // The hypothetical machine of Ada Lovelace: 8 lanes, 3 ports, 3 slots for an approximation, 16
  // cycles for root and division.
  double full_batches = 127;
  double left_over = 3;
  double fillers = 5;
  double bound_of_root_and_division = 8.0 / 16;

  char why_not_add_up_in_the_loop = 'b';

  char raw_estimate = 'd';
  double steps_from_12_to_float = 1;
  double steps_from_14_to_float = 1;   // 28
  double steps_from_14_to_double = 2;  // 28, 56

  double instructions = 14;  // 3 differences, 3 for r2, 4 for the cube, 1 for the mass, 3 sums
  double bound = 8 * 3 / (14.0 + 3);

  double bodies_i = 4;
  double bodies_i_predicted = 1.3;
  double bodies_i_measured = 1.13;
  double bodies_i_spread = 2;
  char bodies_i_differ = 'a';  // 13 % against 2 %

  double third_law_instructions = 18;  // one product and three sums more
  double third_law_bound = 2 * 8 * 3 / (18.0 + 3);
  char third_law_why = 'a';

  // From single runs of openmp_direct on a busy machine.
  double speed_up_at_256 = 1.25;
  double speed_up_at_10000 = 1.4;
  double threads_pay_from = 256;

  double double_predicted = 2;
  double double_measured = 2.9;
  char double_why = 'c';

  std::string mine = "mine_blocked";
  double mine_flops = unanswered;  // your own
  double mine_fma = unanswered;
  double interactions_here = 6.64;
  double clock_here = 3.89;
  double bound_here = 2.13;  // 64 interactions, 30 cycles
  double reached_percent = 80;

  double peak_here = unanswered;  // your own, judged by build/ceilings.json
  double peak_percent = unanswered;

  double cycles_before = unanswered;  // your own: ./lab bound part2 mine
  double cycles_predicted = unanswered;
  double cycles_after = unanswered;
  double measured_gain = unanswered;  // the first over the third
  char jump_for_free = 'b';

  double terms_of_one_sum = 16777216;  // 2^24: the next float is 2 away
  double terms_of_all_lanes = 8 * 16777216.0;
  char lost_in_a_sum = 'c';

  // Task 3: flops of one iteration, for the Gflop/s of `./lab run part2 naive -v` and of your
  // versions.
  double flops_of_naive() const { return naive_add + naive_mul + naive_div + naive_sqrt; }
};

}  // namespace nbody
