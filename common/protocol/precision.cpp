#include "bodies/input_error.hpp"
#include "protocol/messages.hpp"

namespace nbody::protocol {

Precision precision_named(const std::string& text) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    if (text == name_of(precision)) return precision;
  }
  throw InputError("--precision needs float or double, not '" + text + "'");
}

}  // namespace nbody::protocol
