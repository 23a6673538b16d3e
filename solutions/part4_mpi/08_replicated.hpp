// Problem: a ring of P ranks has P - 1 hops, and each waits for the slower of two neighbours.
// Idea: c copies of the bodies (M. Driscoll et al., IPDPS 2013). c ranks are a team and share their
// bodies, so there are P / c teams. The ring leads through the teams, but each member of a team
// follows only P / c^2 of them, and the team adds up its members' sums: c^2 times fewer hops, and c
// times fewer values, N / c, for the price of 7 N c / P values within the team. c is 4 from 32
// ranks on, else 2, and 1, which is the ring, where c^2 does not divide P.
// Predicted: 2.5 x on 64 ranks of simulated Gigabit Ethernet, 65536 bodies; 1.3 x on 16, 8 x
// on 256.
// Measured: 2.05 x; 1.19 x on 16; 0.93 x on 16 cores with 4096 bodies.
// Why: 3 hops instead of 63, but none is hidden behind the work, and the team's sums wait for
// latencies, too. ring_overlapped is faster on 16 ranks, and slower from 64 on.
#pragma once

#include "support/groups.hpp"

namespace nbody {

class Replicated : public InGroups {
 public:
  explicit Replicated(const Problem& problem) : InGroups(problem) {
    for (const int c : {4, 2}) {
      if (copies == 1 && ranks % (c * c) == 0 && ranks >= c * c * c / 2) copies = c;
    }
    team = group_of(rank / copies);
    circle = group_of(rank % copies);
  }
  ~Replicated() override {
    MPI_Comm_free(&team.comm);
    MPI_Comm_free(&circle.comm);
  }

  void compute_accelerations() override {
    const int teams = ranks / copies, hops = teams / copies;
    const std::vector<Body> targets = bodies_of(team);
    std::vector<Vector> sums(targets.size(), Vector{0, 0, 0});
    std::vector<Body> sources = from_team(rank % copies * hops, 0, targets);
    for (int hop = 0; hop < hops; ++hop) {
      if (hop > 0) sources = from_team(1, rank % copies * hops + hop - 1, sources);
      add_accelerations_by(sources, targets, sums);
    }
    keep_own(sums, team);
  }

 private:
  // Everybody passes its bodies to the team `steps` places to the left. Those that come are the
  // bodies of the team `steps` + `before` places to the right.
  std::vector<Body> from_team(int steps, int before, const std::vector<Body>& present) const {
    const int teams = ranks / copies, mine = rank / copies;
    const int to = (mine - steps + teams) % teams, from = (mine + steps) % teams;
    const int owner = (mine + steps + before) % teams;
    std::vector<Body> coming(first_of((owner + 1) * copies) - first_of(owner * copies));
    MPI_Sendrecv(present.data(), 4 * static_cast<int>(present.size()), mpi_real, to, 0,
                 coming.data(), 4 * static_cast<int>(coming.size()), mpi_real, from, 0, circle.comm,
                 MPI_STATUS_IGNORE);
    return coming;
  }

  int copies = 1;
  Group team, circle;  // this rank's team; the ranks with the same place in their teams
};

}  // namespace nbody
