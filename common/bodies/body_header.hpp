#pragma once

#include <string>
#include <string_view>

#include "bodies/scene.hpp"

namespace nbody {

// The first line of a body file, `# nbody-lab: G=... soft=... dt=... mdt=... time=...`, with
// damping=... and integrator=NAME where they are not the default. Copies these values into the
// scene's setting and time; ignores any other first line.
void parse_body_header(std::string_view text, const std::string& name, Scene& scene);

std::string format_body_header(const Scene& scene);

}  // namespace nbody
