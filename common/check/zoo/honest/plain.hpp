#pragma once

// The zoo's base class by itself: structure of arrays, one root and one division a pair.
#include "check/zoo/plain.hpp"
