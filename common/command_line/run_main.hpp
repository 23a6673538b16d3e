#pragma once

#include "core/run_main.hpp"

namespace nbody::command_line {
using nbody::run_main;
}
