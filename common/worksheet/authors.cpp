#include "worksheet/authors.hpp"

#include <stdexcept>

namespace nbody {

// FNV-1a.
std::uint64_t hash_of_authors(const std::string& authors) {
  std::uint64_t hash = 14695981039346656037u;
  bool empty = true;
  for (const char c : authors) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool letter = upper || (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
    if (!letter) continue;
    empty = false;
    hash ^= static_cast<unsigned char>(upper ? c - 'A' + 'a' : c);
    hash *= 1099511628211u;
  }
  if (empty) {
    throw std::invalid_argument(
        "question 0 of the worksheet: there is no letter in the authors' names");
  }
  return hash ^ (hash >> 29);
}

}  // namespace nbody
