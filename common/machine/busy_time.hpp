#pragma once

namespace nbody::machine {

// Seconds of processor time since the machine was started, of all its hardware threads together.
// Zero where the system does not report them.
struct BusyTime {
  double programs = 0;  // all programs and the kernel
  double stolen = 0;    // a virtual machine's cores were wanted, and the host had none
};

BusyTime busy_time();

}  // namespace nbody::machine
