#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 4. Write your answers in place of `unanswered`, `no_choice` and "". Mind
// C++: 7 / 2 is 3 and 4 / 3 is 1; write 7.0 / 2.
//
//   ./lab worksheet part4                 how far are you?
//   ./lab worksheet part4 --which         shows which number of a group is wrong
//
// An answer that follows from earlier ones is judged by those, so one slip costs you only once. A
// recorded answer only has to be there. Once all letters are given, you learn how many are right,
// but not which. A float has 4 bytes, a body as a source 16: its position and mass.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make your hypothetical cluster, which
  //     ./lab worksheet part4 shows: its ranks, how fast a rank computes, and the network by LogGP:
  //     latency L and overhead o in microseconds, and the bandwidth, 1 / G.
  std::string authors = "";

  // --- Task 1: ranks -----------------------------------------------------------------------------
  // 1   When does MPI_Send() return? a) when the message has been received, b) when its buffer may
  //     be used again, c) when the receiver has called MPI_Recv(), d) when all ranks have called
  //     it. Write 'a', 'b', 'c' or 'd'.
  char send_returns = no_choice;

  // --- Task 2: count what travels ----------------------------------------------------------------
  // 2   One iteration of naive with 1000 bodies in float on 4 ranks: the messages that are sent to
  //     rank 0 (MPI_Send), their bytes, and the bytes that the other ranks together receive by
  //     MPI_Bcast.
  double messages_to_root = unanswered;
  double bytes_to_root = unanswered;
  double bytes_of_broadcasts = unanswered;

  // --- Task 3: LogGP -----------------------------------------------------------------------------
  // 3   On your hypothetical cluster, with 40000 bodies: the microseconds of one message with all
  //     positions (x, y and z, float), L + 2 o + G times its bytes. And the microseconds that each
  //     rank computes in one iteration, if all have the same number of rows.
  double message_us = unanswered;
  double compute_us = unanswered;
  // 4   Rank 0 of naive sends this message to each of the others, one after the other, and receives
  //     from each its share of the accelerations, 12 bytes per row. The microseconds of one
  //     iteration: all these messages and the computing. And the efficiency: the share of the
  //     computing in this time, in percent.
  double naive_us = unanswered;
  double naive_efficiency_percent = unanswered;

  // --- Task 4: every body at home ----------------------------------------------------------------
  // 5   The bytes that each rank receives from the others in one MPI_Allgatherv: 1000 bodies in
  //     float, 16 bytes per body, 4 ranks. And the bytes that all ranks receive together.
  double allgather_bytes = unanswered;
  double allgather_bytes_all = unanswered;

  // --- Task 5: one time step for all -------------------------------------------------------------
  // 6   What happens without MPI_Allreduce in largest_time_step(), with the usual integrator? a)
  //     the program hangs, b) nothing, because rank 0 decides, c) bodies of different ranks are at
  //     different times, and the forces between them are wrong, d) only the printed energy is
  //     wrong.
  char without_allreduce = no_choice;

  // --- Task 6: a ring ----------------------------------------------------------------------------
  // 7   All ranks call MPI_Send() to the right, then MPI_Recv() from the left. It works with 100
  //     bodies and hangs with 100000. Why? a) the network is too slow, b) the tags overflow, c)
  //     MPI_Send() must not be called by all ranks, d) a short message is kept in a buffer until it
  //     is received, a long one waits for its receiver, and all wait.
  char ring_hangs = no_choice;
  // 8   On your hypothetical cluster, with 40000 bodies: the microseconds of one hop (one block, 16 bytes
  //     per body), and of the computation with one block.
  double hop_us = unanswered;
  double block_us = unanswered;

  // --- Task 7: overlap ---------------------------------------------------------------------------
  // 9   Microseconds of one iteration on your hypothetical cluster: with MPI_Sendrecv (hop and computation
  //     one after the other; as many blocks as ranks, one hop fewer), and overlapped (the last
  //     block has no hop).
  double ring_us = unanswered;
  double overlapped_us = unanswered;
  // 10  From how many ranks on does the hop take longer than the computation of a block? This is
  //     the root of a quadratic equation; do not round it to a whole number (such as 12.7).
  double ranks_where_the_network_wins = unanswered;

  // --- Task 8: the third law ---------------------------------------------------------------------
  // 11  With 7 ranks: the bytes that a rank sends in one iteration for each body of a block: first
  //     round the whole ring (16 bytes per hop), then round half the ring (16 bytes of the body and
  //     12 of its sums per hop; then 12 bytes of sums home).
  double ring_bytes = unanswered;
  double half_ring_bytes = unanswered;
  // 12  With an even number of ranks the last block is computed one way only. Why? a) both ranks of
  //     a pair hold each other's block: each pair of bodies would count twice, b) the sums would
  //     not fit, c) the order of messages would change, d) there is no rank left to send to.
  char even_ranks = no_choice;

  // --- Task 9: ranks with threads ----------------------------------------------------------------
  // 13  On one host, with 20000 bodies: T, and 10^9 interactions/s as one rank with T threads and
  //     as T ranks with one thread.
  double threads_here = unanswered;
  double speed_of_threads = unanswered;
  double speed_of_ranks = unanswered;

  // --- Task 10: scaling --------------------------------------------------------------------------
  // 14  2 % of a program is serial. Its speed-up on the ranks of your hypothetical cluster by Amdahl (the
  //     same problem) and by Gustafson (the problem grows, and 2 % is the share of the time on all
  //     these ranks).
  double amdahl = unanswered;
  double gustafson = unanswered;
  // 15  Your best version on this machine with 20000 bodies: 10^9 interactions/s on one rank and on
  //     two; the efficiency in percent.
  double one_rank_here = unanswered;
  double two_ranks_here = unanswered;
  double efficiency_here_percent = unanswered;
  // 16  is in NOTEBOOK.md: at least five ideas, each with a prediction (./lab try).

  // The version that you hand in, and flops of one iteration, as in part 2, for the Gflop/s that
  // `./lab run part4 naive -v` shows.
  std::string mine = "mine";
  double flops_of_naive() const { return 17 * n * (n - 1) + 4 * n; }
  double mine_flops = flops_of_naive();
};

}  // namespace nbody
