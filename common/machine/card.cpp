#include "machine/card.hpp"

#include <algorithm>

namespace nbody {

Card measure_card(const std::function<void(const std::string&)>& on_progress) {
  Card card;
  card.facts = machine_facts();
  on_progress("clock");
  std::vector<double> cycles;
  for (int round = 0; round < 101; ++round) cycles.push_back(cycle_seconds());
  card.clock_hz = 1 / measured_of(cycles).median;
  card.prices = measure_prices(on_progress);
  const std::size_t largest = std::max({card.facts.l1d, card.facts.l2, card.facts.l3});
  card.ceilings = measure_ceilings(card.facts.l1d, largest, on_progress);
  on_progress("");
  return card;
}

}  // namespace nbody
