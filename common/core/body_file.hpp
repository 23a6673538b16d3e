#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/scene.hpp"

namespace nbody {

// Body files (.dat): text; N, then N records `mass radius qx qy qz vx vy vz`; `#` starts a comment.
// A comment at the end of a record is the body's name.
// A first line `# nbody-lab: G=... soft=... dt=... mdt=... time=...` carries the setting, with
// damping=... and integrator=NAME where they are not the default.
// data/README.md is the specification.

// No body file may hold more bodies than this (2^27: 8 GiB as double).
inline constexpr std::size_t max_bodies = std::size_t{1} << 27;

// Throws InputError with "FILE:LINE: what is wrong" (or "FILE: ..." when there is no line).
Scene parse_bodies(std::string_view text, const std::string& file);
Scene read_body_file(const std::filesystem::path& file);

// Enough digits to read every double back bit for bit. Throws InputError for a value that is not
// finite: no reader accepts it.
std::string format_bodies(const Scene& scene);

// As write_text_file(): the folder must be there, and if it throws InputError, an older file of
// that name stays intact.
void write_body_file(const std::filesystem::path& file, const Scene& scene);

}  // namespace nbody
