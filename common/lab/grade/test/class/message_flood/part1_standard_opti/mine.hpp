// Says something 60000 times while it is compiled: a build log of many MB.
#ifndef NBODY_MINE
#define NBODY_MINE

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody

#endif

#if __INCLUDE_LEVEL__ < 16
#pragma message("attack_proof: this line is there to fill the log of the build, again and again")
#include __FILE__
#include __FILE__
#endif
