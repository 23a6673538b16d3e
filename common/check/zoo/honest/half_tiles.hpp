#pragma once

// All guards of the zoo's class for half precision.
#include "check/zoo/half_tiles.hpp"
