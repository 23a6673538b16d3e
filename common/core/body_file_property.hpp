#pragma once

#include <string_view>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/words.hpp"

namespace nbody {

// A property of every text: it is refused with one readable line, or it is a scene that survives
// being written and read again bit for bit. Returns what is wrong, or nullptr.
inline const char* broken_body_file_property(std::string_view text) {
  Scene scene;
  try {
    scene = parse_bodies(text, "text");
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message != printable(message)) return "an error that is not one line of plain text";
    if (message.size() > 300) return "an error that is too long to read";
    return nullptr;
  }
  if (scene.bodies.size() == 0) return "a scene without bodies";
  const std::string written = format_bodies(scene);
  const Scene read = parse_bodies(written, "written");
  if (!(read == scene)) return "a scene that changes when it is written and read";
  // -0 equals 0 but is spelled differently, so comparing texts sees every bit.
  if (format_bodies(read) != written) return "a scene that is written in two ways";
  return nullptr;
}

}  // namespace nbody
