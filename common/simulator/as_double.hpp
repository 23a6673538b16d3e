#pragma once

namespace nbody {

// The one way from a simulator's number type to double. A number type of another kind (the counting
// number) brings its own overload.
inline double as_double(float value) { return static_cast<double>(value); }
inline double as_double(double value) { return value; }

}  // namespace nbody
