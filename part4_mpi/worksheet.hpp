#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

// How to answer: docs/using_the_lab.md#the-worksheet. A letter is 'a', 'b', 'c' or 'd'. A float has
// 4 bytes, position and mass of a body 16.
struct Worksheet {
  double n;  // number of bodies

  // 0   Your names, "Ada Lovelace, Charles Babbage". They make the cluster that
  //     ./lab worksheet part4 shows: P, speed of a rank, L, o, bandwidth 1 / G.
  std::string authors = "";

  // --- Task 1: ranks -----------------------------------------------------------------------------
  // 1   When does MPI_Send() return? a) when the message has been received, b) when its buffer may
  //     be used again, c) when the receiver has called MPI_Recv(), d) when all ranks have called
  //     it.
  char send_returns = no_choice;

  // --- Task 2: count messages and bytes ----------------------------------------------------------
  // 2   An iteration of naive, 1000 bodies in float, 4 ranks: messages sent to rank 0, their bytes,
  //     and the bytes that the others together receive by MPI_Bcast.
  double messages_to_root = unanswered;
  double bytes_to_root = unanswered;
  double bytes_of_broadcasts = unanswered;

  // --- Task 3: the cost of a message -------------------------------------------------------------
  // 3   40000 bodies on your cluster: us of one message with all x, y and z in float; us that each
  //     rank computes.
  double message_us = unanswered;
  double compute_us = unanswered;
  // 4   Rank 0 sends this message to each other rank in turn, and gets 12 bytes back per body of
  //     its partition: us of an iteration with its computing; share of computing in
  //     percent.
  double naive_us = unanswered;
  double naive_efficiency_percent = unanswered;

  // --- Task 4: distribute the bodies -------------------------------------------------------------
  // 5   Bytes received from others in one MPI_Allgatherv, 1000 bodies, 4 ranks: by each, by all.
  double allgather_bytes = unanswered;
  double allgather_bytes_all = unanswered;

  // --- Task 5: one time step for all -------------------------------------------------------------
  // 6   Without MPI_Allreduce, with the usual integrator: a) the program hangs, b) nothing, because
  //     rank 0 decides, c) bodies of different ranks are at different times, and the forces between
  //     them are wrong, d) only the printed energy is wrong.
  char without_allreduce = no_choice;

  // --- Task 6: a ring ----------------------------------------------------------------------------
  // 7   All call MPI_Send(), then MPI_Recv(). Why does it hang with 100000 bodies, not with 100? a)
  //     the network is too slow, b) the tags overflow, c) MPI_Send() must not be called by all
  //     ranks, d) a short message is kept in a buffer until it is received, a long one waits for
  //     its receiver, and all wait.
  char ring_hangs = no_choice;
  // 8   40000 bodies on your cluster: us of a hop, us of computing with one partition.
  double hop_us = unanswered;
  double partition_us = unanswered;

  // --- Task 7: overlap ---------------------------------------------------------------------------
  // 9   us of an iteration: with MPI_Sendrecv (P partitions, P - 1 hops), and overlapped (the last
  //     partition has no hop).
  double ring_us = unanswered;
  double overlapped_us = unanswered;
  // 10  From how many ranks on does a hop take longer than computing? A root of a quadratic
  //     equation, not rounded (such as 12.7).
  double ranks_where_the_network_wins = unanswered;

  // --- Task 8: the third law ---------------------------------------------------------------------
  // 11  7 ranks, bytes that a rank sends per iteration and body of a partition: round the ring (16
  //     per hop); half-way round (16 + 12 per hop, then 12 home).
  double ring_bytes = unanswered;
  double half_ring_bytes = unanswered;
  // 12  With an even number of ranks the last partition is computed one way only. Why? a) both
  //     ranks of a pair hold each other's partition: each pair of bodies would count twice, b) the
  //     sums would not fit, c) the order of messages would change, d) there is no rank left to send
  //     to.
  char even_ranks = no_choice;

  // --- Task 9: ranks with threads ----------------------------------------------------------------
  // 13  One node, 20000 bodies: T; 10^9 interactions/s of one rank with T threads, of T ranks.
  double threads_here = unanswered;
  double speed_of_threads = unanswered;
  double speed_of_ranks = unanswered;

  // --- Task 10: scaling --------------------------------------------------------------------------
  // 14  2 % is serial: the speed-up on your cluster by Amdahl (same problem), by Gustafson (larger
  //     problem, 2 % of the time on all ranks).
  double amdahl = unanswered;
  double gustafson = unanswered;
  // 15  Your best version, 20000 bodies: 10^9 interactions/s on one rank, on two; efficiency in
  //     percent.
  double one_rank_here = unanswered;
  double two_ranks_here = unanswered;
  double efficiency_here_percent = unanswered;
  // 16  is in NOTEBOOK.md: five ideas or more, with predictions.

  // The version that you hand in; flops of an iteration, for the Gflop/s of ./lab run -v.
  std::string mine = "mine";
  double flops_of_naive() const { return 17 * n * (n - 1) + 4 * n; }
  double mine_flops = flops_of_naive();
};

}  // namespace nbody
