// Closes its input unread and stays: whoever writes a long request meets a closed pipe, whoever
// waits for the answer waits for ever.

#include <unistd.h>

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("deaf");
  close(STDIN_FILENO);
  for (;;) pause();
}
