#pragma once

#include <string>
#include <vector>

#include "machine/ceilings.hpp"
#include "machine/facts.hpp"
#include "machine/prices.hpp"

namespace nbody {

// All that ./lab machine knows.
struct Card {
  MachineFacts facts;
  double clock_hz = 0;
  std::vector<Price> prices;
  Ceilings ceilings;
};

Card measure_card(const std::function<void(const std::string&)>& on_progress);

std::string card_text(const Card& card);
std::string card_json(const Card& card);

}  // namespace nbody
