#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 2. Write your answers in place of `unanswered`, `no_choice` and "". Where
// an answer depends on the number of bodies, write an expression of n, such as 3 * n * (n - 1).
// Mind C++: 7 / 2 is 3 and 4 / 3 is 1; write 7.0 / 2, or 7 * n * n / 2.
//
//   ./lab worksheet part2                 how far are you?
//   ./lab worksheet part2 --which         shows which class of a count (3, 13) is wrong
//   ./lab worksheet part2 --by-how-much   and by how much
//
// Counts are compared with what the code really does. An answer that follows from earlier ones is
// judged by those, so one slip costs you only once. A recorded answer only has to be there. Once
// all letters are given, you learn how many are right, but not which.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your paper machine, which
  //     ./lab worksheet part2 shows: its lanes and ports, the slots of an estimate of 1/sqrt, and
  //     the cycles for which root and division of a whole batch occupy their unit.
  std::string authors = "";

  // --- Task 1: layout ----------------------------------------------------------------------------
  // 1   Why is an array of structures hard to vectorise? a) velocities go through the cache, too,
  //     b) its address cannot be aligned, c) neighbouring x are a whole structure apart and must be
  //     loaded one by one, d) main memory must deliver more. Write 'a', 'b', 'c' or 'd'.
  char why_structure_of_arrays = no_choice;

  // --- Task 2: ask the compiler ------------------------------------------------------------------
  // 2   What does each of these permit? a) not to set errno, b) to compute values that are then not
  //     used, which could stop the program, c) nothing: it says the same without a jump, d) to add
  //     up in another order than the source.
  char reduction_permits = no_choice;         // #pragma omp simd reduction(+ : ...)
  char no_math_errno_permits = no_choice;     // -fno-math-errno
  char no_trapping_math_permits = no_choice;  // -fno-trapping-math
  char selection_permits = no_choice;         // r2 > 0 ? ... : 0 for the if

  // --- Task 3: count and bound -------------------------------------------------------------------
  // 3   Flops of one call of compute_accelerations() in naive.hpp, by class, as written.
  double naive_add = unanswered;  // and subtract; += is one of them
  double naive_mul = unanswered;
  double naive_div = unanswered;
  double naive_sqrt = unanswered;
  // 4   Lanes of a register: of AVX2 in double, of AVX-512 in float. And for 1019 bodies of float
  //     in batches of your paper machine: the number of full batches, the bodies left over, and the
  //     extra bodies that fill the last batch.
  double avx2_doubles = unanswered;
  double avx512_floats = unanswered;
  double full_batches = unanswered;
  double left_over = unanswered;
  double fillers = unanswered;
  // 5   Your paper machine does root and division of one batch after the other. If all other work
  //     is hidden behind them: how many interactions per cycle?
  double bound_of_root_and_division = unanswered;

  // --- Task 4: say it yourself -------------------------------------------------------------------
  // 6   Why does reduce_add belong after the loop? a) lanes lose digits when they are added up, b)
  //     adding up one register takes several instructions, as many as the rest of the step, and
  //     each waits for the one before, c) it needs a detour through memory, d) it lowers the clock.
  char why_not_add_up_in_the_loop = no_choice;

  // --- Task 5: precision -------------------------------------------------------------------------
  // 7   The estimate without a Newton step: a) passes in float, fails in double, b) passes from
  //     some thousand bodies on, because errors cancel, c) passes with softening, d) fails: 12 to
  //     14 bits are not enough for the limit of 1e-5. And how many Newton steps are needed from so
  //     many bits to float (24 bits) and to double (53)?
  char raw_estimate = no_choice;
  double steps_from_12_to_float = unanswered;
  double steps_from_14_to_float = unanswered;
  double steps_from_14_to_double = unanswered;
  // 8   The step of task 5 ("A Newton step for the cube" in the handout): arithmetic instructions
  //     for one batch of j, without loads and without the estimate. Then add the slots of the
  //     estimate: the bound of your paper machine in interactions per cycle.
  double instructions = unanswered;
  double bound = unanswered;

  // --- Task 6: more rows at once -----------------------------------------------------------------
  // 9   Your best version: its rows at once, and how many times as fast it is as with one row,
  //     predicted and measured. The larger spread of the two versions in percent, from ./lab bench.
  //     Is it a difference? a) yes, the gain is larger than the spread, b) no.
  double rows = unanswered;
  double rows_predicted = unanswered;
  double rows_measured = unanswered;
  double rows_spread = unanswered;
  char rows_differ = no_choice;

  // --- Task 7: third law -------------------------------------------------------------------------
  // 10  The same as question 8 with the third law: the step now serves both bodies. And why is it
  //     not twice as fast? a) products and sums are needed for both bodies, only the work before
  //     them is saved, b) the estimate is less exact for the other body, c) half of the batches are
  //     no longer aligned, d) the cache is too small for the sums.
  double third_law_instructions = unanswered;
  double third_law_bound = unanswered;
  char third_law_why = no_choice;

  // --- Task 8: threads ---------------------------------------------------------------------------
  // 11  Speed-up of all threads over one, with 256 and with 10000 bodies; and the smallest number
  //     of bodies for which two threads are faster than one.
  double speed_up_at_256 = unanswered;
  double speed_up_at_10000 = unanswered;
  double threads_pay_from = unanswered;

  // --- Task 9: double ----------------------------------------------------------------------------
  // 12  How many times as long as float does double take: predicted, measured? Why more than 2? a)
  //     twice as many bytes from main memory, b) double has no fma, c) half as many lanes, and more
  //     instructions to make 53 bits from an estimate, d) the loop is no longer vectorised.
  double double_predicted = unanswered;
  double double_measured = unanswered;
  char double_why = no_choice;

  // --- Task 10: explain --------------------------------------------------------------------------
  // 13  The version that you hand in: its flops (an fma is two) and its number of fma, in one call
  //     of compute_accelerations(). Counts that `./lab count part2 mine` marks "about" are not
  //     asked. Measured with 5000 bodies on one thread: 10^9 interactions/s; the clock in GHz; the
  //     bound by `./lab bound part2 mine`, as interactions per cycle; and the share of it that you
  //     reach, in percent: with the cycles of another processor it may be above 100.
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_fma = unanswered;
  double interactions_here = unanswered;
  double clock_here = unanswered;
  double bound_here = unanswered;
  double reached_percent = unanswered;
  // 14  is in NOTEBOOK.md: at least six ideas, each with a prediction (./lab try).
  // 15  Peak of one core of this machine for float: Gflop/s of fma with its widest instruction set,
  //     from ./lab machine (if build/ceilings.json exists, it is compared with that). And the share
  //     of the peak, in percent, that you reach by question 13 at 20 flops per interaction.
  double peak_here = unanswered;
  double peak_percent = unanswered;
  // 16  One instruction fewer. From ./lab bound part2 mine, the cycles measured, per interaction;
  //     these, times the simulated cycles without your instruction over those with it; and what is
  //     measured after its removal. How many times as fast is the loop? And: unrolling saves a
  //     comparison and a jump in each turn, but gains next to nothing. Why? a) the processor
  //     guesses jumps, so they cost nothing, b) they use a port that is not full, and no other
  //     instruction waits for them, c) the compiler puts them back, d) only floats use ports.
  double cycles_before = unanswered;
  double cycles_predicted = unanswered;
  double cycles_after = unanswered;
  double measured_gain = unanswered;
  char jump_for_free = no_choice;
  // 17  What N does to a sum. Add 1 to a float sum, again and again: how many additions change the
  //     sum, before the next one no longer does? And in all, with one sum in each lane of your
  //     paper machine and cyclic lanes? And which pull on a body loses most digits in a long float
  //     sum? a) the nearest body's, b) the heaviest body's, c) small ones that come after a large
  //     one, d) none: each is right to 24 binary digits.
  double terms_of_one_sum = unanswered;
  double terms_of_all_lanes = unanswered;
  char lost_in_a_sum = no_choice;

  // Flops of one iteration by question 3, for the Gflop/s of `./lab run part2 naive -v` and of your
  // versions.
  double flops_of_naive() const { return naive_add + naive_mul + naive_div + naive_sqrt; }
};

}  // namespace nbody
