#pragma once

namespace nbody::view {

// How it is drawn; what keys and options change.
struct Look {
  enum class Colour { speed, acceleration };
  Colour colour = Colour::speed;
  bool trails = true;
  bool glow = true;
  bool text = true;
};

}  // namespace nbody::view
