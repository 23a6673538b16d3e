#pragma once

#include "worksheet/part2_answers.hpp"

namespace nbody {

// The worksheet of part 2. Write your answers in place of `unanswered`, `no_choice` and "". Where
// an answer depends on the number of bodies, write an expression of n, such as 3 * n * (n - 1).
// Mind C++: 7 / 2 is 3 and 4 / 3 is 1; write 7.0 / 2, or 7 * n * n / 2.
//
//   ./lab worksheet part2                 how far are you?
//   ./lab worksheet part2 --which         tells which class of a wrong count (3, 13) is wrong
//   ./lab worksheet part2 --by-how-much   and by how much
//
// Exact answers are compared with what your code really does; what follows from earlier answers is
// judged by those, so that one slip costs once; recorded ones only have to be there; of letters you
// are told that they are answered, and not whether they are right.
inline Part2Answers answers([[maybe_unused]] double n) {
  Part2Answers a;

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your paper machine, which
  //     ./lab worksheet part2 shows: lanes, ports, what an estimate of 1/sqrt costs them, and how
  //     many cycles root and division of a whole batch keep their unit.
  a.authors = "";

  // --- Task 1: layout ----------------------------------------------------------------------------
  // 1   Why is an array of structures hard to vectorise? a velocities go through the cache, too,
  //     b its address cannot be aligned, c neighbouring x lie a whole structure apart and have to
  //     be picked together one by one, d main memory has to deliver more. Write 'a', 'b', 'c', 'd'.
  a.why_structure_of_arrays = no_choice;

  // --- Task 2: ask the compiler ------------------------------------------------------------------
  // 2   What does each of them permit? a not to set errno, b to compute what is then not taken,
  //     which might stop the program, c nothing: it says the same without a jump, d to add up in
  //     another order than the source.
  a.reduction_permits = no_choice;         // #pragma omp simd reduction(+ : ...)
  a.no_math_errno_permits = no_choice;     // -fno-math-errno
  a.no_trapping_math_permits = no_choice;  // -fno-trapping-math
  a.selection_permits = no_choice;         // r2 > T(0) ? ... : T(0) for the if

  // --- Task 3: count and bound -------------------------------------------------------------------
  // 3   Flops of one call of compute_accelerations() in naive.hpp, by class, as written.
  a.naive.add = unanswered;  // and subtract; += is one of them
  a.naive.mul = unanswered;
  a.naive.div = unanswered;
  a.naive.sqrt = unanswered;
  // 4   Lanes of a register, and 1019 bodies of float in batches of your paper machine: full
  //     batches, bodies left over, and bodies that fill the last batch up.
  a.sse2.of_float = unanswered;
  a.sse2.of_double = unanswered;
  a.avx2.of_float = unanswered;
  a.avx2.of_double = unanswered;
  a.avx512.of_float = unanswered;
  a.avx512.of_double = unanswered;
  a.neon.of_float = unanswered;
  a.neon.of_double = unanswered;
  a.full_batches = unanswered;
  a.left_over = unanswered;
  a.fillers = unanswered;
  // 5   Your paper machine takes root and division of every batch, one batch after the other. If
  //     all else were hidden behind them: interactions a cycle.
  a.bound_of_root_and_division = unanswered;

  // --- Task 4: say it yourself -------------------------------------------------------------------
  // 6   Why does reduce_add belong behind the loop? a lanes lose digits when they are added up,
  //     b adding up one register takes several instructions that wait for each other, as many as
  //     the rest of the step, c it needs a detour through memory, d it lowers the clock.
  a.why_not_add_up_in_the_loop = no_choice;

  // --- Task 5: precision -------------------------------------------------------------------------
  // 7   The estimate as it is: a passes in float, fails in double, b passes from some thousand
  //     bodies on, since errors cancel, c passes with softening, d fails: 12 to 14 bits are not
  //     enough for the limit of 1e-5. And Newton steps that are needed for 24 bits (float) and 53
  //     (double).
  a.raw_estimate = no_choice;
  a.steps_from_12_to_float = unanswered;
  a.steps_from_14_to_float = unanswered;
  a.steps_from_14_to_double = unanswered;
  // 8   Arithmetic instructions of the step in task 5 of the handout for one batch of j, loads and
  //     the estimate not counted; and with what the estimate costs, the bound of your paper
  //     machine in interactions a cycle.
  a.instructions = unanswered;
  a.bound = unanswered;

  // --- Task 6: more rows at once -----------------------------------------------------------------
  // 9   Rows at once of your best version, and how many times as fast as with one row.
  a.rows = unanswered;
  a.rows_predicted = unanswered;
  a.rows_measured = unanswered;

  // --- Task 7: third law -------------------------------------------------------------------------
  // 10  The same as question 8 with the third law: the step now serves both sides. And why is it
  //     not twice as fast? a products and sums are needed for both bodies, only what is in front
  //     of them is saved, b the estimate is less exact for the other body, c half of the batches
  //     are no longer aligned, d the cache is too small for the sums.
  a.third_law_instructions = unanswered;
  a.third_law_bound = unanswered;
  a.third_law_why = no_choice;

  // --- Task 8: threads ---------------------------------------------------------------------------
  // 11  Speed-up of all threads over one, with 256 and with 10000 bodies; and the smallest number
  //     of bodies for which two threads are faster than one.
  a.speed_up_at_256 = unanswered;
  a.speed_up_at_10000 = unanswered;
  a.threads_pay_from = unanswered;

  // --- Task 9: double ----------------------------------------------------------------------------
  // 12  How many times as long does double take as float: predicted, measured. Why more than 2?
  //     a twice as many bytes from main memory, b double has no fma, c half as many lanes, and more
  //     instructions to make 53 bits of an estimate, d the loop is no longer vectorised.
  a.double_predicted = unanswered;
  a.double_measured = unanswered;
  a.double_why = no_choice;

  // --- Task 10: explain --------------------------------------------------------------------------
  // 13  The version that you hand in: its flops (an fma is two), and its fma (each one, not two),
  // in
  //     one call of compute_accelerations(). What `./lab count part2 mine` gives as "about" is not
  //     asked. Measured with 5000 bodies on one thread: 10^9 interactions/s; the clock in GHz; the
  //     bound of this machine by your slots, in interactions a cycle (ports: what a loop of
  //     independent fma reaches, or your processor's tables); and the share that you reach.
  a.mine = "mine";
  a.mine_flops = unanswered;
  a.mine_fma = unanswered;
  a.interactions_here = unanswered;
  a.clock_here = unanswered;
  a.bound_here = unanswered;
  a.reached_percent = unanswered;
  // 14  is in NOTEBOOK.md: six ideas at least, each with a prediction (./lab try).
  return a;
}

// Task 3: flops of one iteration, for the Gflop/s of `./lab run part2 naive -v` and of your
// versions.
inline double flops_per_iteration(double n) {
  const FlopCounts naive = answers(n).naive;
  return naive.add + naive.mul + naive.div + naive.sqrt;
}
inline double flops_per_iteration_of_mine(double n) { return answers(n).mine_flops; }

}  // namespace nbody
