#pragma once

#include "../part3_cuda/support/real4.cuh"

namespace nbody {

// A message between blocks: the acceleration of a body and the squared distance of its nearest
// neighbour, whose last bit says which iteration it belongs to. The 16 bytes are written and read
// in one piece: if the bit is as expected, the other three numbers are there too, and no barrier is
// needed. This holds in float; in double there would be two pieces.
struct alignas(16) Message {
  real3 a;
  unsigned step;
};

// w of the sum is the squared distance of the nearest neighbour.
__device__ inline Message message_of(const real4& sum, unsigned tag) {
  return {{sum.x, sum.y, sum.z}, (__float_as_uint(static_cast<float>(sum.w)) & ~1u) | tag};
}

__device__ inline void send(Message* to, const Message& message) {
  const float x = message.a.x, y = message.a.y, z = message.a.z;
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 all;"
      "  mov.b64 low, {%1, %2}; mov.b64 high, {%3, %4}; mov.b128 all, {low, high};"
      "  st.relaxed.gpu.global.b128 [%0], all; }"
      :
      : "l"(to), "f"(x), "f"(y), "f"(z), "r"(message.step)
      : "memory");
}

__device__ inline Message receive(const Message* from) {
  float x, y, z;
  unsigned step;
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 all;"
      "  ld.relaxed.gpu.global.b128 all, [%4];"
      "  mov.b128 {low, high}, all; mov.b64 {%0, %1}, low; mov.b64 {%2, %3}, high; }"
      : "=f"(x), "=f"(y), "=f"(z), "=r"(step)
      : "l"(from)
      : "memory");
  return {{x, y, z}, step};
}

}  // namespace nbody
