// A compiler's error that is one line of a megabyte.
#pragma once

#include "naive.hpp"

#define ONE "attack_proof_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define FOUR(s) s s s s
static_assert(false, FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(ONE))))))));
