#pragma once

namespace nbody {

// The only conversion from a simulator's number type to double. Other number types (the counting
// number) bring their own overload.
inline double as_double(float value) { return static_cast<double>(value); }
inline double as_double(double value) { return value; }

}  // namespace nbody
