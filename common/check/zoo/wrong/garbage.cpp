// Text where an answer should stand: a program that prints on the descriptor it was given.

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("garbage");
  while (nbody::read_request()) {
    nbody::write_bytes("step 1 of 10: everything is fine, energy is conserved\n");
  }
}
