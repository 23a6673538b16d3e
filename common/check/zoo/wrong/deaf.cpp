// Closes its input unread and stays: whoever writes a long request meets a closed pipe, whoever
// waits for the answer waits for ever.

#include <unistd.h>

int main() {
  close(STDIN_FILENO);
  for (;;) pause();
}
