#pragma once

#include <cstdint>
#include <exception>

#include "simulator/contract.hpp"

namespace nbody {

// What rank 0 tells the other ranks to call, and on which simulator.
struct Command {
  enum class Call : std::uint32_t {
    make,
    compute_accelerations,
    largest_time_step,
    update_bodies,
    kick,
    drift,
    accelerations_and_jerk,
    advance,
    copy_state,
    copy_accelerations,
    destroy,
    reset_counts,  // of messages
    gather_counts,
    end  // of the program
  };
  Call call;
  std::uint32_t simulator = 0;  // in order of creation
  std::uint64_t number = 0;     // make: of bodies; advance: of steps
  StepRule rule = {};           // advance; the others that have a dt: rule.dt
  std::uint32_t threads = 0;    // make
};

void join_world();  // MPI_Init; once
void leave_world();
int own_rank();
int number_of_ranks();
int ranks_on_this_host();
// On rank 0: a collective call has begun, in which the others may wait.
extern bool others_wait;
// Prints one line with the rank and the reason, and ends all ranks.
[[noreturn]] void stop_all_ranks(const std::exception& fault);

void send_to_others(const Command& command);
// May take long: it sleeps while it waits, and leaves the processor to rank 0, the checker and the
// clock.
Command next_command();

// From rank 0 to the others, whose arrays have the right size.
template <typename T>
void share_problem(ProblemOf<T>& problem);

}  // namespace nbody
