#pragma once

#include <string>

namespace nbody {

// What CLI11 says of options without, or with too many values, in plain words:
// "-n: 1 required N missing" -> "-n needs a value: -n N". Other messages stay.
std::string plain_complaint(const std::string& message);

}  // namespace nbody
