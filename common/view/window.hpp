#pragma once

#include "view/cast.hpp"
#include "view/view_options.hpp"

namespace nbody::view {

// A window that shows the simulations until it is closed. Returns the exit status. Throws
// InputError without a display, or when a simulation fails.
int show_in_window(const Cast& cast, const ViewOptions& options);

}  // namespace nbody::view
