#pragma once

namespace nbody::view {

// How it is drawn; keys and options change it.
struct Look {
  enum class Colour { speed, acceleration };
  Colour colour = Colour::speed;
  bool trails = true;
  bool glow = true;
  bool text = true;
};

}  // namespace nbody::view
