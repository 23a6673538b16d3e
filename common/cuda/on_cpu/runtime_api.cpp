#include "cuda/on_cpu/runtime_api.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

#include "cuda/on_cpu/sanitizers.hpp"

namespace nbody::on_cpu {
namespace {

struct Piece {
  std::size_t bytes = 0;
  Owner owner = Owner::device;
  std::byte* pages = nullptr;  // with a fence on both sides; null: the sanitizer's
  std::size_t pages_size = 0;
};

// By the first byte.
std::map<std::uintptr_t, Piece>& pieces() {
  static std::map<std::uintptr_t, Piece> all;
  return all;
}

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

constexpr std::size_t fence_size = 64 * 1024;  // whole pages, of any usual size
constexpr std::size_t alignment = 16;          // of what one load moves

cudaError_t last_error = cudaSuccess;

}  // namespace

void* new_fenced(std::size_t bytes, Owner owner) {
  if (bytes > PTRDIFF_MAX / 2) return nullptr;
  Piece piece{bytes, owner};
  void* data = nullptr;
  if (addresses_are_watched() || threads_are_watched()) {
    data = std::malloc(std::max<std::size_t>(bytes, 1));
    if (data == nullptr) return nullptr;
  } else {
    const std::size_t inside = rounded_up(bytes, fence_size);
    piece.pages_size = inside + 2 * fence_size;
    void* const pages =
        mmap(nullptr, piece.pages_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    piece.pages = static_cast<std::byte*>(pages);
    mprotect(piece.pages, fence_size, PROT_NONE);
    mprotect(piece.pages + fence_size + inside, fence_size, PROT_NONE);
    bytes = rounded_up(bytes, alignment);
    data = piece.pages + fence_size + inside - bytes;
  }
  fill_unwritten(data, bytes);
  pieces()[number_of(data)] = piece;
  return data;
}

bool is_fenced(const void* address, std::size_t bytes) {
  auto next = pieces().upper_bound(number_of(address));
  if (next == pieces().begin()) return false;
  const auto& [first, piece] = *--next;
  return bytes <= piece.bytes && number_of(address) - first <= piece.bytes - bytes;
}

const void* written_beyond() {
  for (const auto& [first, piece] : pieces()) {
    if (piece.pages == nullptr) continue;  // the sanitizer finds it
    auto* const end = reinterpret_cast<std::byte*>(first + piece.bytes);
    auto* const fence = piece.pages + piece.pages_size - fence_size;
    const auto* const found = std::find_if(end, fence, [](auto b) { return b != std::byte{0xff}; });
    if (found == fence) continue;
    fill_unwritten(end, fence - end);
    return found;
  }
  return nullptr;
}

void fill_unwritten(void* data, std::size_t bytes) {
  // Volatile, so that it does not become a memset(), which the sanitizer intercepts.
  volatile auto* const to = static_cast<std::byte*>(data);
  for (std::size_t k = 0; k < bytes; ++k) to[k] = std::byte{0xff};
}

std::string name_of_place(const void* address) {
  const std::uintptr_t place = number_of(address);
  for (const auto& [first, piece] : pieces()) {
    if (place - number_of(piece.pages) >= piece.pages_size) continue;
    const std::string array = " an array of " + std::to_string(piece.bytes) + " bytes " +
                              (piece.owner == Owner::shared ? "in shared memory" : "of the GPU");
    if (place < first) return std::to_string(first - place) + " bytes before" + array;
    return "byte " + std::to_string(place - first) + " of" + array;
  }
  return "an address where no array of the GPU is";
}

cudaError_t kept(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace nbody::on_cpu

using namespace nbody::on_cpu;

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }

// A copy in the wrong direction is an error on the GPU, too.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (bytes == 0) return cudaSuccess;
  if ((to_device && !is_fenced(to, bytes)) || (from_device && !is_fenced(from, bytes))) {
    return kept(cudaErrorInvalidValue);
  }
  std::memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* to, int byte, std::size_t bytes) {
  if (!is_fenced(to, bytes)) return kept(cudaErrorInvalidValue);
  std::memset(to, byte, bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* data) {
  if (data == nullptr) return cudaSuccess;
  const auto found = pieces().find(number_of(data));
  if (found == pieces().end()) return kept(cudaErrorInvalidValue);
  const Piece piece = found->second;
  pieces().erase(found);
  if (piece.pages == nullptr) {
    std::free(data);
  } else {
    munmap(piece.pages, piece.pages_size);
  }
  return cudaSuccess;
}
