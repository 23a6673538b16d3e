// Closes its input unread and stays: writing a long request hits a closed pipe, and waiting for the
// answer never ends.

#include <unistd.h>

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("deaf");
  close(STDIN_FILENO);
  for (;;) pause();
}
