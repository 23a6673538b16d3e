#pragma once

#include "worksheet/part2_answers.hpp"

namespace nbody {

// The worksheet of part 2, answered; the questions are in part2_vectorization/worksheet.hpp. What
// was measured (9, 11, 12, 13) holds for one machine and is recorded only.
inline Part2Answers answers(double n) {
  const double pairs = n * (n - 1);
  Part2Answers a;
  a.authors = "Ada Lovelace";

  a.why_structure_of_arrays = 'c';

  a.reduction_permits = 'd';
  a.no_math_errno_permits = 'a';
  a.no_trapping_math_permits = 'b';
  a.selection_permits = 'c';

  a.naive.add = 9 * pairs;          // dx, dy, dz; three under the root; three sums
  a.naive.mul = 8 * pairs + 3 * n;  // four squares; r2 by its root; three by pull; G behind
  a.naive.div = pairs;
  a.naive.sqrt = pairs;

  a.sse2 = {4, 2};
  a.avx2 = {8, 4};
  a.avx512 = {16, 8};
  a.neon = {4, 2};
  // The paper machine of Ada Lovelace: 8 lanes, 3 ports, 3 slots for an estimate, 16 cycles for
  // root and division.
  a.full_batches = 127;
  a.left_over = 3;
  a.fillers = 5;
  a.bound_of_root_and_division = 8.0 / 16;

  a.why_not_add_up_in_the_loop = 'b';

  a.raw_estimate = 'd';
  a.steps_from_12_to_float = 1;
  a.steps_from_14_to_float = 1;   // 28
  a.steps_from_14_to_double = 2;  // 28, 56

  a.instructions = 14;  // 3 differences, 3 for r2, 4 for the cube, 1 for the mass, 3 sums
  a.bound = 8 * 3 / (14.0 + 3);

  a.rows = 4;
  a.rows_predicted = 1.3;
  a.rows_measured = 1.13;

  a.third_law_instructions = 18;  // one product and three sums more
  a.third_law_bound = 2 * 8 * 3 / (18.0 + 3);
  a.third_law_why = 'a';

  // From single runs of openmp_direct on a busy machine.
  a.speed_up_at_256 = 1.25;
  a.speed_up_at_10000 = 1.4;
  a.threads_pay_from = 256;

  a.double_predicted = 2;
  a.double_measured = 2.9;
  a.double_why = 'c';

  a.mine = "mine_blocked";
  a.interactions_here = 6.64;
  a.clock_here = 3.89;
  a.bound_here = 1.88;  // 16 lanes, two ports, 14 + 3 slots
  a.reached_percent = 91;
  return a;
}

inline double flops_per_iteration(double n) {
  const FlopCounts naive = answers(n).naive;
  return naive.add + naive.mul + naive.div + naive.sqrt;
}
inline double flops_per_iteration_of_mine(double n) { return answers(n).mine_flops; }

}  // namespace nbody
