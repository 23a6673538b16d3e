#pragma once

#include "simulator/ranks.hpp"

// The lab's own messages among the ranks. They use a communicator of their own and MPI's PMPI_
// names: no implementation receives them, and they are not counted (counted_calls.cpp).
namespace nbody {

void join_world();  // MPI_Init; once
void leave_world();
int own_rank();
int number_of_ranks();
int ranks_on_this_host();

// The functions of Ranks (simulator/ranks.hpp).
void share_with_others(void* data, std::size_t bytes);
void end_others();
// On another rank with nothing left to do. Stops all ranks if rank 0 shares more.
void wait_for_end(const char* why_it_stops);
[[noreturn]] void stop_all_ranks(const char* why);

}  // namespace nbody
