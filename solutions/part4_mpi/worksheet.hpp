#pragma once

#include <cmath>

#include "worksheet/answers.hpp"

namespace nbody {

// The worksheet of part 4, answered; the questions are in part4_mpi/worksheet.hpp. Measured answers
// (13, 15) hold for one machine and are only recorded.
struct Worksheet {
  double n;  // number of bodies

  std::string authors = "Ada Lovelace";

  char send_returns = 'b';

  double messages_to_root = 3 * (4 - 1);
  double bytes_to_root = 3 * 4 * (1000 - 250);
  double bytes_of_broadcasts = 3 * 4 * 1000 * (4 - 1);

  // The hypothetical cluster of Ada Lovelace: 16 ranks of 3.5 x 10^9 interactions/s, L = 7 us, o =
  // 3 us, 1.5 GB/s.
  double P = 16, L = 7, o = 3, G = 1e-3 / 1.5;
  double all_pairs = 40000.0 * 40000.0 / 3500;  // us of one rank
  double message_us = L + 2 * o + G * 12 * 40000;
  double compute_us = all_pairs / P;
  double naive_us = compute_us + (P - 1) * (message_us + L + 2 * o + G * 12 * 40000 / P);
  double naive_efficiency_percent = 100 * compute_us / naive_us;
  double allgather_bytes = 16 * (1000 - 250);
  double allgather_bytes_all = 4 * allgather_bytes;

  char without_allreduce = 'c';

  char ring_hangs = 'd';
  double hop_us = L + 2 * o + G * 16 * 40000 / P;
  double partition_us = all_pairs / (P * P);

  double ring_us = P * partition_us + (P - 1) * hop_us;
  double overlapped_us = (P - 1) * (hop_us > partition_us ? hop_us : partition_us) + partition_us;
  // all_pairs / P^2 = L + 2 o + G 16 * 40000 / P, solved for P.
  double per_hop = G * 16 * 40000,
         root = std::sqrt(per_hop * per_hop + 4 * all_pairs * (L + 2 * o));
  double ranks_where_the_network_wins = 2 * all_pairs / (per_hop + root);

  double ring_bytes = 6 * 16;
  double half_ring_bytes = 3 * (16 + 12) + 12;
  char even_ranks = 'a';

  double threads_here = 2;
  double speed_of_threads = unanswered;  // your own
  double speed_of_ranks = unanswered;

  double amdahl = 1 / (0.02 + 0.98 / P);
  double gustafson = 0.02 + 0.98 * P;
  double one_rank_here = unanswered;
  double two_ranks_here = unanswered;
  double efficiency_here_percent = unanswered;

  std::string mine = "mine";
  double flops_of_naive() const { return 17 * n * (n - 1) + 4 * n; }
  double mine_flops = flops_of_naive();
};

}  // namespace nbody
