// Text instead of an answer: a program that prints to the protocol's descriptor.

#include "check/zoo/small_server.hpp"

int main() {
  nbody::say_hello("garbage");
  while (nbody::read_request()) {
    nbody::write_bytes("step 1 of 10: everything is fine, energy is conserved\n");
  }
}
