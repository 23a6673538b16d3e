#include <fmt/format.h>

#include "core/input_error.hpp"
#include "core/scheme.hpp"
#include "core/words.hpp"

namespace nbody {

// One file each in core/schemes/.
extern const Scheme eq45;
extern const Scheme euler;
extern const Scheme semi_implicit;
extern const Scheme kdk;
extern const Scheme kdk_symmetric;
extern const Scheme dkd;
extern const Scheme yoshida4;
extern const Scheme rk4;
extern const Scheme hermite4;

const std::vector<const Scheme*>& schemes() {
  static const std::vector<const Scheme*> all = {
      &eq45, &euler, &semi_implicit, &kdk, &kdk_symmetric, &dkd, &yoshida4, &rk4, &hermite4,
  };
  return all;
}

const Scheme& scheme_named(const std::string& name) {
  if (name.empty()) return *schemes().front();
  std::string known;
  for (const Scheme* scheme : schemes()) {
    if (scheme->name == name) return *scheme;
    known += known.empty() ? "" : ", ";
    known += scheme->name;
  }
  throw InputError(fmt::format("unknown integrator {}: known are {}", in_quotes(name), known));
}

}  // namespace nbody
