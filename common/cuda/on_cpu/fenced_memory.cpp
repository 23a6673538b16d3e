#include "cuda/on_cpu/fenced_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>

#include "cuda/on_cpu/sanitizers.hpp"

namespace nbody::on_cpu {
namespace {

struct Piece {
  std::size_t bytes = 0;
  Owner owner = Owner::device;
  std::byte* pages = nullptr;  // null: not ours, or the sanitizer's
  std::size_t pages_size = 0;  // with a fence on both sides
};

// By the first byte.
std::map<std::uintptr_t, Piece>& pieces() {
  static std::map<std::uintptr_t, Piece> all;
  return all;
}

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

constexpr std::size_t alignment = 16;  // of what one load moves
constexpr std::byte unwritten{0xff};

}  // namespace

void* new_fenced(std::size_t bytes, Owner owner) {
  if (bytes > PTRDIFF_MAX / 2) throw std::bad_alloc();
  Piece piece{bytes, owner};
  std::byte* data = nullptr;
  if (addresses_are_watched() || threads_are_watched()) {
    data = static_cast<std::byte*>(std::malloc(bytes > 0 ? bytes : 1));
    if (data == nullptr) throw std::bad_alloc();
  } else {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = rounded_up(bytes, page);
    piece.pages_size = inside + 2 * page;
    void* pages = mmap(nullptr, piece.pages_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    piece.pages = static_cast<std::byte*>(pages);
    if (inside > 0 && mprotect(piece.pages + page, inside, PROT_READ | PROT_WRITE) != 0) {
      munmap(pages, piece.pages_size);
      throw std::bad_alloc();
    }
    data = piece.pages + page + inside - rounded_up(bytes, alignment);
    bytes = rounded_up(bytes, alignment);
  }
  fill_unwritten(data, bytes);
  pieces()[number_of(data)] = piece;
  return data;
}

bool delete_fenced(void* data) {
  const auto found = pieces().find(number_of(data));
  if (found == pieces().end()) return false;
  const Piece piece = found->second;
  pieces().erase(found);
  if (piece.pages != nullptr) {
    munmap(piece.pages, piece.pages_size);
  } else {
    std::free(data);
  }
  return true;
}

bool is_fenced(const void* address) {
  auto next = pieces().upper_bound(number_of(address));
  if (next == pieces().begin()) return false;
  const auto& [first, piece] = *--next;
  return number_of(address) - first <= piece.bytes;
}

void share_host_memory(const void* data, std::size_t bytes) {
  pieces()[number_of(data)] = {bytes, Owner::device};
}
bool unshare_host_memory(const void* data) { return pieces().erase(number_of(data)) > 0; }

void fill_unwritten(void* data, std::size_t bytes) {
  // Volatile, so that it does not become a memset(), which the sanitizer intercepts.
  volatile auto* const to = static_cast<std::byte*>(data);
  for (std::size_t k = 0; k < bytes; ++k) to[k] = unwritten;
}

std::string name_of_place(const void* address) {
  const std::uintptr_t place = number_of(address);
  for (const auto& [first, piece] : pieces()) {
    const std::uintptr_t pages = number_of(piece.pages);
    if (piece.pages == nullptr || place < pages || place >= pages + piece.pages_size) continue;
    const std::string array = " an array of " + std::to_string(piece.bytes) + " bytes " +
                              (piece.owner == Owner::shared ? "in shared memory" : "of the GPU");
    if (place < first) return std::to_string(first - place) + " bytes before" + array;
    return "byte " + std::to_string(place - first) + " of" + array;
  }
  return "an address where no array of the GPU is";
}

}  // namespace nbody::on_cpu
