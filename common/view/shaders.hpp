#pragma once

// The shaders. Colours are amounts of light: they add up, and `developed` maps them to the screen
// like film: bright light turns white and is never clipped.
namespace nbody::view::shaders {

// From slow to fast: blue, white, orange, which everybody can tell apart.
inline constexpr const char* star_vertex = R"(#version 330 core
layout(location = 0) in vec4 body;  // place, and 0..1 for the colour
layout(location = 1) in float size;
uniform mat4 matrix;
uniform float pixels;   // of a length of 1 at a distance of 1
uniform float sprite;   // radius of what is drawn, in radii of the body
out vec3 colour;
void main() {
  vec3 slow = vec3(0.16, 0.36, 1.0), middle = vec3(0.85, 0.82, 0.95), fast = vec3(1.0, 0.48, 0.10);
  float value = body.w;
  colour = value < 0.5 ? mix(slow, middle, value * 2.0) : mix(middle, fast, value * 2.0 - 1.0);
  gl_Position = matrix * vec4(body.xyz, 1.0);
  float radius = size * pixels / max(gl_Position.w, 1e-6);
  float shown = clamp(radius, 0.9, 0.014 * pixels);  // to be seen, and to hide nothing
  colour *= 0.1 + 0.9 * pow(min(1.0, radius / shown), 1.5);  // but then fainter
  gl_PointSize = 2.0 * sprite * shown;
})";

inline constexpr const char* star_fragment = R"(#version 330 core
in vec3 colour;
uniform float sprite, light;
out vec4 shown;
void main() {
  vec2 place = (2.0 * gl_PointCoord - 1.0) * sprite;
  float d2 = dot(place, place);
  float edge = sprite * sprite;
  float core = exp(-1.6 * d2);
  float halo = sprite > 3.0 ? 0.17 * exp(-0.13 * d2) : 0.0;
  float fade = max(0.0, 1.0 - d2 / edge);  // no visible rim
  shown = vec4(colour * light * fade * (2.4 * core + halo), 1.0);
})";

inline constexpr const char* trail_vertex = R"(#version 330 core
layout(location = 0) in vec4 body;
layout(location = 1) in float age;  // 1: now, 0: long ago
uniform mat4 matrix;
out vec3 colour;
void main() {
  vec3 slow = vec3(0.16, 0.36, 1.0), fast = vec3(1.0, 0.48, 0.10);
  colour = mix(slow, fast, body.w) * age * age;
  gl_Position = matrix * vec4(body.xyz, 1.0);
})";

inline constexpr const char* trail_fragment = R"(#version 330 core
in vec3 colour;
uniform float light;
out vec4 shown;
void main() { shown = vec4(colour * light, 1.0); })";

inline constexpr const char* whole_vertex = R"(#version 330 core
out vec2 place;
void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
})";

inline constexpr const char* develop_fragment = R"(#version 330 core
in vec2 place;
uniform sampler2D film;
uniform float panels;
out vec4 shown;
void main() {
  vec3 light = texelFetch(film, ivec2(gl_FragCoord.xy), 0).rgb;
  vec3 developed = 1.0 - exp(-1.3 * light);
  vec2 inside = vec2(fract(place.x * panels), place.y) - 0.5;
  vec3 sky = mix(vec3(0.030, 0.038, 0.072), vec3(0.008, 0.010, 0.020), min(1.0, 1.6 * length(inside)));
  float rim = abs(place.x * panels - 1.0) * textureSize(film, 0).x / panels;
  if (panels > 1.5 && rim < 1.0) sky = vec3(0.20, 0.23, 0.32);
  shown = vec4(sky * (1.0 - developed) + developed, 1.0);
})";

inline constexpr const char* text_vertex = R"(#version 330 core
layout(location = 0) in vec4 corner;  // place in pixels from the upper left, place in the font
uniform vec2 screen;
out vec2 in_font;
void main() {
  in_font = corner.zw;
  gl_Position = vec4(corner.x / screen.x * 2.0 - 1.0, 1.0 - corner.y / screen.y * 2.0, 0.0, 1.0);
})";

inline constexpr const char* text_fragment = R"(#version 330 core
in vec2 in_font;
uniform sampler2D font;
uniform vec4 ink;
out vec4 shown;
void main() { shown = vec4(ink.rgb, ink.a * texture(font, in_font).r); })";

}  // namespace nbody::view::shaders
