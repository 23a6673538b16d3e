#pragma once

#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "view/snapshot.hpp"

namespace nbody::view {

// The lines above a picture: implementation, iteration and simulated time, speed, energy error.
// Without `with_speed` the same states give the same lines on every machine.
std::vector<std::string> hud_lines(const std::string& title, const Snapshot& shown,
                                   const Scene& scene, bool with_speed);

// The lines below: help on the keys.
std::vector<std::string> key_lines();

}  // namespace nbody::view
