#pragma once

#include "worksheet/part3_answers.hpp"

namespace nbody {

// The worksheet of part 3. Write your answers in place of `unanswered`, `no_choice` and "". Where
// an answer depends on the number of bodies, write an expression of n, such as 3 * n * (n - 1).
// Mind C++: 7 / 2 is 3 and 4 / 3 is 1; write 7.0 / 2, or 7 * n * n / 2.
//
//   ./lab worksheet part3                 how far are you?
//   ./lab worksheet part3 --which         tells which class of a wrong count is wrong
//   ./lab worksheet part3 --by-how-much   and by how much
//
// Exact answers are compared with what your code really does, or with a formula; what follows from
// earlier answers is judged by those, so that one slip costs once; recorded ones only have to be
// there. It works without a GPU: then the counts of naive are those of another machine, and your
// own versions (18) are not counted.
inline Part3Answers answers([[maybe_unused]] double n) {
  Part3Answers a;

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your paper GPU, which
  //     ./lab worksheet part3 shows.
  a.authors = "";

  // --- Task 1: your device -----------------------------------------------------------------------
  // 1   Peak of the paper GPU in Tflop/s: every float unit starts a fused multiply-add each cycle.
  a.peak = unanswered;
  // 2   1000 bodies, a thread each, in blocks of 128: how many blocks, and how many threads of the
  //     last one have no body? The smallest number of bodies that gives every multiprocessor of the
  //     paper GPU a block. And blocks of 256 that a multiprocessor holds at once, if it has place
  //     for 2048 threads and 65536 registers, and each thread needs 80 registers.
  a.blocks_of_128 = unanswered;
  a.idle_threads = unanswered;
  a.smallest_n_of_64 = unanswered;    // blocks of 64 threads
  a.smallest_n_of_1024 = unanswered;  // blocks of 1024
  a.resident_blocks = unanswered;

  // --- Task 2: run it, and make it fail ----------------------------------------------------------
  // 3   A kernel reads an address that nobody owns. What tells you? a the launch itself, b the
  // compiler,
  //     c the next call that waits for it, d nothing but wrong bodies. And a clock that is stopped
  //     right behind a launch shows a how long the kernel took, b how long it took to start it,
  //     c kernel and copies, d nothing: it cannot be stopped there. Write 'a', 'b', 'c', 'd'.
  a.error_told_by = no_choice;
  a.clock_shows = no_choice;

  // --- Task 3: where does the time go? -----------------------------------------------------------
  // 4   Bytes that an iteration of naive copies, in float; and how many copies these are.
  a.fixed_step.to_gpu = unanswered;  // compute_accelerations() and update_bodies()
  a.fixed_step.from_gpu = unanswered;
  a.adaptive_step.to_gpu = unanswered;  // largest_time_step(), too
  a.adaptive_step.from_gpu = unanswered;
  a.copies = unanswered;  // with the fixed step
  // 5   On the paper GPU, with the fixed step and the times that it shows: share of the copies in
  //     an iteration, in percent, and how many times as fast it would be without them (1.05).
  a.few.percent = unanswered;  // 1000 bodies
  a.few.gain = unanswered;
  a.many.percent = unanswered;  // 100 000 bodies
  a.many.gain = unanswered;

  // --- Task 5: fewer instructions ----------------------------------------------------------------
  // 6   Flops of one call of compute_accelerations() of naive, all threads together, by class, as
  //     written.
  a.naive.add = unanswered;  // and subtract; += is one of them
  a.naive.mul = unanswered;
  a.naive.div = unanswered;
  a.naive.sqrt = unanswered;
  // 7   Half of the instructions of a loop go, and the time falls by a tenth. What follows? a the
  //     clock of the GPU fell, b the threads waited for something else, c the compiler put them
  //     back, d the instructions that are left take twice as long.
  a.instructions_gone = no_choice;

  // --- Task 6: fewer loads -----------------------------------------------------------------------
  // 8   Numbers that all threads together load and store, global and shared memory apart, as
  //     written: bodies[i].qx is a load each time that it stands there. Locals are registers.
  a.naive_global.loads = unanswered;  // compute_accelerations()
  a.naive_global.stores = unanswered;
  a.naive_shared.loads = unanswered;
  a.naive_shared.stores = unanswered;
  //     largest_time_step() with its two kernels; that of smallest.cuh has 256 threads, and n is
  //     larger than that.
  a.time_step_global.loads = unanswered;
  a.time_step_global.stores = unanswered;
  a.time_step_shared.loads = unanswered;
  a.time_step_shared.stores = unanswered;
  // 9   Why does a structure of arrays not help this loop? a all threads of a warp read the same
  //     body j, so there are no neighbouring addresses to bring together, b the cache is too small
  //     for four arrays, c four arrays are more bytes than one, d the GPU cannot load one float.
  a.why_no_coalescing = no_choice;

  // --- Task 7: tiles -----------------------------------------------------------------------------
  // 10  Blocks of 256 threads, tiles of 256 bodies, four numbers a body, n a multiple of 256. In
  //     one call, all threads together: numbers loaded from global memory for the tiles, stored to
  //     shared memory, loaded from there; and how often the same body is loaded for a tile.
  a.tile_global_loads = unanswered;
  a.tile_shared_stores = unanswered;
  a.tile_shared_loads = unanswered;
  a.times_loaded = unanswered;
  // 11  What does each barrier prevent? a that a warp writes the next tile over what another one
  //     still reads, b that two blocks write the same tile, c that a block ends before the others,
  //     d that a warp reads places which another one has not written yet.
  a.first_barrier = no_choice;   // between loading a tile and using it
  a.second_barrier = no_choice;  // behind using it
  //     `if (i >= n) return;` in front of the loop over tiles, as in naive: a is right: these
  //     threads have no body, b makes all blocks wait for the last one, c leaves places of every
  //     tile of the last block unfilled, d is wrong in the last tile only, which is not full.
  a.early_return = no_choice;

  // --- Task 8: more for each thread --------------------------------------------------------------
  // 12  4096 bodies, eight for each thread, blocks of 256: how many blocks, and which share of the
  //     multiprocessors of the paper GPU has work, in percent? From which number of bodies on is
  //     your version with several bodies the faster one here?
  a.blocks_of_several = unanswered;
  a.busy_percent = unanswered;
  a.several_pay_from = unanswered;

  // --- Task 9: few bodies ------------------------------------------------------------------------
  // 13  4096 bodies in blocks of 128 threads: how many threads have to share a body, so that there
  //     are two blocks at least for each multiprocessor of the paper GPU? Steps a second that it
  //     makes at most, if a step starts two kernels and waits for each. And an empty kernel here,
  //     in microseconds.
  a.threads_a_body = unanswered;
  a.steps_by_launches = unanswered;
  a.empty_kernel_here = unanswered;

  // --- Task 10: Newton's third law ---------------------------------------------------------------
  // 14  An interaction takes 13.3 instructions of a thread, a pair 17.8: how many times as fast at
  //     most? On the paper GPU, where a float unit starts one instruction a cycle: 10^9
  //     interactions/s of the third law at most. And atomic additions a lose some of the additions,
  //     b add up in an order that changes from run to run, c are not there for float, d wait for
  //     the processor.
  a.third_law_gain = unanswered;
  a.third_law_bound = unanswered;
  a.why_no_atomics = no_choice;

  // --- Task 11: roofline, and explain ------------------------------------------------------------
  // 15  flop/byte of naive's compute_accelerations() with 1000 bodies in float: by your flops and
  //     the bytes that memory has to move at least (mass and position in, acceleration out, each
  //     once), and by the loads and stores as written, global ones. The ridge point of the paper
  //     GPU with its memory. And tiles, 20 flops an interaction: flop/byte by what the threads load
  //     from shared memory, and by what it really delivers, once for a warp.
  a.intensity = unanswered;
  a.intensity_as_written = unanswered;
  a.ridge = unanswered;
  a.tile_intensity = unanswered;
  a.tile_intensity_delivered = unanswered;
  // 16  What limits naive? a the bandwidth of the GPU's memory, b waiting for loads that a cache
  //     answers, c too few blocks: most of the GPU has nothing to do, d the peak. Of
  //     two that fit, the one that would be left if the other were mended.
  a.limit_of_few = no_choice;   // 1000 bodies
  a.limit_of_many = no_choice;  // 100 000 bodies
  // 17  If every cycle starts an instruction: share of the peak that 20 flops an interaction come
  //     to, in percent, with the 13.3 and 17.8 instructions of question 14. Above 100: how can that
  //     be? a 20 flops are counted for both sides, and a pair needs fewer instructions than they
  //     stand for, b the clock is higher than the one of the peak, c the cache computes, too, d it
  //     cannot be: the measurement is wrong.
  a.most_percent = unanswered;
  a.most_percent_of_third_law = unanswered;
  a.why_above_the_peak = no_choice;
  // 18  The version that you hand in: flops, loads and stores in one call of
  //     compute_accelerations(). What it only knows "about" is not asked.
  a.mine = "mine";
  a.mine_flops = unanswered;
  a.mine_global.loads = unanswered;
  a.mine_global.stores = unanswered;
  a.mine_shared.loads = unanswered;
  a.mine_shared.stores = unanswered;
  // 19  Measured: 10^9 interactions/s with 1000 and 100 000 bodies; the peak of your GPU
  //     (./lab devices) in Tflop/s; and the share of it with 100 000 bodies, by 20 flops.
  a.few_here = unanswered;
  a.many_here = unanswered;
  a.peak_here = unanswered;
  a.reached_percent = unanswered;
  // 20  is in NOTEBOOK.md: six ideas at least, each with a prediction (./lab try).
  return a;
}

// Question 6: flops of one iteration, for the Gflop/s of `./lab run part3 naive -v` and of your
// versions.
inline double flops_per_iteration(double n) {
  const FlopCounts naive = answers(n).naive;
  return naive.add + naive.mul + naive.div + naive.sqrt;
}
inline double flops_per_iteration_of_mine(double n) { return answers(n).mine_flops; }

}  // namespace nbody
