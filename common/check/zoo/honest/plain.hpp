#pragma once

// The zoo's base class itself: structure of arrays, one root and one division per pair.
#include "check/zoo/plain.hpp"
