#include "paper_machine.hpp"

#include "worksheet/authors.hpp"

namespace nbody {

PaperProcessor paper_processor_of(const std::string& authors) {
  const std::uint64_t hash = hash_of_authors(authors);
  PaperProcessor processor;
  // 1 to 4 ports, so that no real machine of today fits all of it.
  processor.lanes = 4 << (hash % 3);
  processor.ports = 1 + static_cast<int>(hash / 3 % 4);
  processor.estimate_slots = 1 + static_cast<int>(hash / 12 % 4);
  processor.root_and_division = 7 + static_cast<double>(hash / 48 % 17);
  return processor;
}

double bound_by_ports(double interactions, double slots, double ports) {
  return interactions * ports / slots;
}

}  // namespace nbody
