#pragma once

#include "worksheet/answers.hpp"

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
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your paper machine, which
  //     ./lab worksheet part2 shows: lanes, ports, what an estimate of 1/sqrt costs them, and how
  //     many cycles root and division of a whole batch keep their unit.
  std::string authors = "";

  // --- Task 1: layout ----------------------------------------------------------------------------
  // 1   Why is an array of structures hard to vectorise? a velocities go through the cache, too,
  //     b its address cannot be aligned, c neighbouring x lie a whole structure apart and have to
  //     be picked together one by one, d main memory has to deliver more. Write 'a', 'b', 'c', 'd'.
  char why_structure_of_arrays = no_choice;

  // --- Task 2: ask the compiler ------------------------------------------------------------------
  // 2   What does each of them permit? a not to set errno, b to compute what is then not taken,
  //     which might stop the program, c nothing: it says the same without a jump, d to add up in
  //     another order than the source.
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
  // 4   Lanes of a register, and 1019 bodies of float in batches of your paper machine: full
  //     batches, bodies left over, and bodies that fill the last batch up.
  double sse2_floats = unanswered;
  double sse2_doubles = unanswered;
  double avx2_floats = unanswered;
  double avx2_doubles = unanswered;
  double avx512_floats = unanswered;
  double avx512_doubles = unanswered;
  double neon_floats = unanswered;
  double neon_doubles = unanswered;
  double full_batches = unanswered;
  double left_over = unanswered;
  double fillers = unanswered;
  // 5   Your paper machine takes root and division of every batch, one batch after the other. If
  //     all else were hidden behind them: interactions a cycle.
  double bound_of_root_and_division = unanswered;

  // --- Task 4: say it yourself -------------------------------------------------------------------
  // 6   Why does reduce_add belong behind the loop? a lanes lose digits when they are added up,
  //     b adding up one register takes several instructions that wait for each other, as many as
  //     the rest of the step, c it needs a detour through memory, d it lowers the clock.
  char why_not_add_up_in_the_loop = no_choice;

  // --- Task 5: precision -------------------------------------------------------------------------
  // 7   The estimate as it is: a passes in float, fails in double, b passes from some thousand
  //     bodies on, since errors cancel, c passes with softening, d fails: 12 to 14 bits are not
  //     enough for the limit of 1e-5. And Newton steps that are needed for 24 bits (float) and 53
  //     (double).
  char raw_estimate = no_choice;
  double steps_from_12_to_float = unanswered;
  double steps_from_14_to_float = unanswered;
  double steps_from_14_to_double = unanswered;
  // 8   Arithmetic instructions of the step in task 5 of the handout for one batch of j, loads and
  //     the estimate not counted; and with what the estimate costs, the bound of your paper
  //     machine in interactions a cycle.
  double instructions = unanswered;
  double bound = unanswered;

  // --- Task 6: more rows at once -----------------------------------------------------------------
  // 9   Rows at once of your best version, and how many times as fast as with one row. The larger
  //     spread of the two in percent, as ./lab bench shows it: does it leave a difference? a yes,
  //     the gain is larger than the spread, b no.
  double rows = unanswered;
  double rows_predicted = unanswered;
  double rows_measured = unanswered;
  double rows_spread = unanswered;
  char rows_differ = no_choice;

  // --- Task 7: third law -------------------------------------------------------------------------
  // 10  The same as question 8 with the third law: the step now serves both sides. And why is it
  //     not twice as fast? a products and sums are needed for both bodies, only what is in front
  //     of them is saved, b the estimate is less exact for the other body, c half of the batches
  //     are no longer aligned, d the cache is too small for the sums.
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
  // 12  How many times as long does double take as float: predicted, measured. Why more than 2?
  //     a twice as many bytes from main memory, b double has no fma, c half as many lanes, and more
  //     instructions to make 53 bits of an estimate, d the loop is no longer vectorised.
  double double_predicted = unanswered;
  double double_measured = unanswered;
  char double_why = no_choice;

  // --- Task 10: explain --------------------------------------------------------------------------
  // 13  The version that you hand in: its flops (an fma is two), and its fma (each one, not two),
  //     in one call of compute_accelerations(). What `./lab count part2 mine` gives as "about" is
  //     not asked. Measured with 5000 bodies on one thread: 10^9 interactions/s; the clock in GHz;
  //     the bound of this machine by your slots, in interactions a cycle (ports: what a loop of
  //     independent fma reaches, or your processor's tables); and the share that you reach.
  std::string mine = "mine";
  double mine_flops = unanswered;
  double mine_fma = unanswered;
  double interactions_here = unanswered;
  double clock_here = unanswered;
  double bound_here = unanswered;
  double reached_percent = unanswered;
  // 14  is in NOTEBOOK.md: six ideas at least, each with a prediction (./lab try).
  // 15  Peak of one core of this machine for float, Gflop/s of fma with its widest instruction set
  //     (./lab machine; where build/ceilings.json is there, it is compared with that); and the
  //     share of it that your speed of question 13 comes to by 20 flops an interaction.
  double peak_here = unanswered;
  double peak_percent = unanswered;
  // 16  Remove a slot. What ./lab bound part2 mine says of your loop: cycles of an interaction,
  //     before and after you took one instruction away from the port that is full. How many times
  //     as fast can the loop get at most? And unrolling saves a comparison and a jump in each
  //     turn, yet the bound stays. Why? a the processor guesses jumps, so they cost nothing, b
  //     they take a port that is not full, c the compiler puts them back, d only floats take
  //     ports.
  double cycles_before = unanswered;
  double cycles_after = unanswered;
  double slot_gain = unanswered;
  char jump_for_free = no_choice;
  // 17  What N does to a sum. Terms of 1 are added to one float sum, one after the other: how many
  //     change it, before the next one no longer does? With one sum in each lane of your paper
  //     machine, the terms shared out in turn: how many in all? And which pull on a body loses most
  //     digits in a long float sum? a the nearest body's, b the heaviest body's, c small ones that
  //     come behind a large one, d none: each is right to 24 binary digits.
  double terms_of_one_sum = unanswered;
  double terms_of_all_lanes = unanswered;
  char lost_in_a_sum = no_choice;

  // Task 3: flops of one iteration, for the Gflop/s of `./lab run part2 naive -v` and of your
  // versions.
  double flops_of_naive() const { return naive_add + naive_mul + naive_div + naive_sqrt; }
};

}  // namespace nbody
