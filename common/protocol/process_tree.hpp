#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace nbody::protocol {

// Processes that a program starts, even hidden ones: by their parents and sessions in /proc. Linux
// only; elsewhere none are found.

struct Process {
  pid_t number = 0, parent = 0, session = 0;
  unsigned long long start = 0;  // with the number, this is one process and never another
};

// False if there is none of this number.
bool read_process(pid_t number, Process& process);

// Nothing happens if the process that was found has ended since, even if its number is another
// one's by now.
void signal_process(const Process& found, int signal);

// Descendants of `root`, without itself.
std::vector<pid_t> descendants_of(pid_t root);

// CPU seconds of `root` and its running descendants, to the nanosecond; processes that have ended
// no longer count. A launcher or a sandbox does nothing itself.
double cpu_seconds_of_tree(pid_t root);
// Of their running threads, so far: seconds on a core, and seconds that they could have run and had
// none. Of threads that have ended, and where the kernel does not tell, nothing is known.
struct ThreadTimes {
  double ran = 0, waited = 0;

  ThreadTimes& operator+=(const ThreadTimes& more) {
    ran += more.ran;
    waited += more.waited;
    return *this;
  }
};
ThreadTimes thread_times_of_tree(pid_t root);
// Bytes of their resident sets, shared memory counted for each.
std::size_t memory_of_tree(pid_t root);

// Sends the signal to `root` and all descendants; repeats until no new one appears, at most a
// hundred times.
void signal_tree(pid_t root, int signal);

// Makes this process adopt descendants whose parent has ended, instead of init.
void adopt_orphans();

// This process and all that it will start gain no rights by exec(), for ever.
void renounce_privileges();

// The same for adopted processes: children in other sessions that are not among the running
// programs but descend from one, as their renounced privileges show. After SIGKILL it also reaps
// them.
void signal_adopted(bool (*is_running)(pid_t), int signal);
double cpu_seconds_of_adopted(bool (*is_running)(pid_t));

}  // namespace nbody::protocol
