#pragma once

#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace nbody {

// Ctrl-C ends a run after its iteration. A second one ends the program at once: one step of many
// bodies may take minutes.
inline volatile std::sig_atomic_t interrupted = 0;

inline void note_interrupt(int) {
  constexpr char said[] = "\nstopping after this iteration (Ctrl-C again: at once)\n";
  const int error = errno;
  // Only write() is safe to call here.
  if (::write(STDERR_FILENO, said, sizeof said - 1) < 0) errno = error;
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

inline void catch_interrupts() {
  interrupted = 0;
  std::signal(SIGINT, note_interrupt);
}

}  // namespace nbody
