#pragma once

#include <filesystem>
#include <string>

#include "report/gnuplot.hpp"

namespace nbody {

// The paths of all bodies in three planes, equal axes, from BASE.<iteration>.dat as -w BASE --every
// K writes them. Throws InputError.
Picture orbit_picture(const std::filesystem::path& base);

// Draws BASE_orbits.svg and .png; what to tell about it.
std::string plot_orbits(const std::filesystem::path& base);

}  // namespace nbody
