// Draws bodies as points of light with WebGL 2: additive, and developed like film.
"use strict";

const FOCAL = 2.4; // half the height of the picture spans 1 / FOCAL at a distance of 1
const MOST_TRAILS = 1500, MOST_PLACES = 120000, LONGEST_TRAIL = 400;
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
// Many bodies are small and faint, few are large: the picture is as bright.
const shareOf = (bodies, power) => clamp((1000 / bodies) ** power, 0.1, 1.6);

const COLOUR = `
  uniform vec2 range;        // of what is shown as a colour
  uniform bool logarithmic;
  float valueOf(float amount) {
    float shown = logarithmic ? log(max(amount, 1e-30)) : amount;
    return range.y > range.x ? clamp((shown - range.x) / (range.y - range.x), 0.0, 1.0) : 0.5;
  }
  const vec3 slow = vec3(0.16, 0.36, 1.0), middle = vec3(0.85, 0.82, 0.95), fast = vec3(1.0, 0.48, 0.10);`;
const SHADERS = {
  stars: [`#version 300 es
  layout(location = 0) in float x;
  layout(location = 1) in float y;
  layout(location = 2) in float z;
  layout(location = 3) in float amount;
  layout(location = 4) in float size;
  uniform mat4 matrix;
  uniform float pixels;   // of a length of 1 at a distance of 1
  uniform float sprite;   // radius of what is drawn, in radii of the body
  out vec3 colour;
  ${COLOUR}
  void main() {
    float value = valueOf(amount);
    colour = value < 0.5 ? mix(slow, middle, value * 2.0) : mix(middle, fast, value * 2.0 - 1.0);
    gl_Position = matrix * vec4(x, y, z, 1.0);
    float radius = size * pixels / max(gl_Position.w, 1e-6);
    float shown = clamp(radius, 0.9, 0.014 * pixels);           // to be seen, and to hide nothing
    colour *= 0.1 + 0.9 * pow(min(1.0, radius / shown), 1.5);   // but then fainter
    gl_PointSize = 2.0 * sprite * shown;
  }`, `#version 300 es
  precision highp float;
  in vec3 colour;
  uniform float sprite, light;
  out vec4 shown;
  void main() {
    vec2 place = (2.0 * gl_PointCoord - 1.0) * sprite;
    float d2 = dot(place, place);
    float fade = max(0.0, 1.0 - d2 / (sprite * sprite));        // no visible rim
    float halo = sprite > 3.0 ? 0.17 * exp(-0.13 * d2) : 0.0;
    shown = vec4(colour * light * fade * (2.4 * exp(-1.6 * d2) + halo), 1.0);
  }`],
  // A line between a body's place in one state and in the next.
  trails: [`#version 300 es
  layout(location = 0) in vec4 here;
  layout(location = 1) in vec4 next;
  uniform mat4 matrix;
  uniform int bodies, first, states;  // in a state; state of the first line; all
  out vec3 colour;
  ${COLOUR}
  void main() {
    vec4 body = gl_VertexID == 0 ? here : next;
    float age = float(first + gl_InstanceID / bodies + 1 + gl_VertexID) / float(states);
    colour = mix(slow, fast, valueOf(body.w)) * age * age;
    gl_Position = matrix * vec4(body.xyz, 1.0);
  }`, `#version 300 es
  precision highp float;
  in vec3 colour;
  uniform float light;
  out vec4 shown;
  void main() { shown = vec4(colour * light, 1.0); }`],
  developed: [`#version 300 es
  out vec2 place;
  void main() {
    place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
  }`, `#version 300 es
  precision highp float;
  in vec2 place;
  uniform sampler2D film;
  uniform float panels;
  out vec4 shown;
  void main() {
    vec3 light = texelFetch(film, ivec2(gl_FragCoord.xy), 0).rgb;
    vec3 developed = 1.0 - exp(-1.3 * light);
    vec2 inside = vec2(fract(place.x * panels), place.y) - 0.5;
    vec3 sky = mix(vec3(0.030, 0.038, 0.072), vec3(0.008, 0.010, 0.020), min(1.0, 1.6 * length(inside)));
    float rim = abs(place.x * panels - 1.0) * float(textureSize(film, 0).x) / panels;
    if (panels > 1.5 && rim < 1.0) sky = vec3(0.20, 0.23, 0.32);
    shown = vec4(sky * (1.0 - developed) + developed, 1.0);
  }`],
};

// Looks at a target from a distance in sizes of the system, z upwards. Tilt 0: from the plane of x and y; pi/2: from above.
class Camera {
  constructor() { this.reset(); }
  reset() { Object.assign(this, { yaw: 0.6, tilt: 0.9, distance: 2.7 }); }
  orbit(yaw, tilt) {
    this.yaw += yaw;
    this.tilt = clamp(this.tilt + tilt, -1.55, 1.55); // "up" is undefined when looking straight down
  }
  zoom(factor) { this.distance = clamp(this.distance / factor, 1e-4, 1e4); }

  // Column by column, as in OpenGL. Shape: width over height. Target and size: in the units of the bodies.
  matrix(shape, { target, size }) {
    const [ct, st, cy, sy] = [Math.cos(this.tilt), Math.sin(this.tilt), Math.cos(this.yaw), Math.sin(this.yaw)];
    const back = [ct * cy, ct * sy, st], right = [-sy, cy, 0], up = [-st * cy, -st * sy, ct];
    const eye = target.map((t, k) => t / size + this.distance * back[k]);
    const dot = axis => axis[0] * eye[0] + axis[1] * eye[1] + axis[2] * eye[2];
    const narrow = Math.min(1, shape), near = this.distance / 100, far = this.distance * 1000;
    const sx = FOCAL * narrow / shape, sv = FOCAL * narrow, a = (near + far) / (near - far), b = 2 * near * far / (near - far);
    const column = k => [sx * right[k], sv * up[k], a * back[k], -back[k]].map(element => element / size);
    return new Float32Array([...column(0), ...column(1), ...column(2), -sx * dot(right), -sv * dot(up), b - a * dot(back), dot(back)]);
  }
}

// One simulation on the graphics card: its bodies, and where they were.
class Drawn {
  constructor(gl, masses) {
    this.gl = gl;
    this.bodies = masses.length;
    this.columns = this.buffer(4 * this.bodies);
    const usual = masses.slice().sort()[this.bodies >> 1];
    const size = 0.0095 * shareOf(this.bodies, 0.3);
    this.sizes = this.buffer(this.bodies);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, masses.map(mass => size * clamp(Math.cbrt(mass / usual), 0.6, 3.5)));
    this.stars = gl.createVertexArray();
    gl.bindVertexArray(this.stars);
    for (let k = 0; k < 5; ++k) {
      gl.bindBuffer(gl.ARRAY_BUFFER, k < 4 ? this.columns : this.sizes);
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 1, gl.FLOAT, false, 0, k < 4 ? 4 * k * this.bodies : 0);
    }
    this.stride = Math.ceil(this.bodies / MOST_TRAILS);
    this.trailed = Math.ceil(this.bodies / this.stride);
    this.slots = Math.min(LONGEST_TRAIL, Math.floor(MOST_PLACES / this.trailed));
    this.past = this.buffer(4 * this.trailed * (this.slots + 1)); // the first state again after the last
    this.lines = gl.createVertexArray();
    this.states = 0; // ever added
    this.forgotten = 0;
    this.range = null;
    this.followedAt = 0;
  }
  buffer(floats) {
    const buffer = this.gl.createBuffer();
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, 4 * floats, this.gl.DYNAMIC_DRAW);
    return buffer;
  }
  forget() { this.forgotten = this.states; }

  // Columns: places and what is shown as a colour. Accelerations span decades: their logarithm is shown.
  show(columns, logarithmic) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.columns);
    columns.forEach((column, k) => gl.bufferSubData(gl.ARRAY_BUFFER, 4 * k * this.bodies, column));
    if (logarithmic !== this.logarithmic) this.range = null;
    this.logarithmic = logarithmic;
    this.follow(columns[3]);
  }
  // The places that were shown last become part of the trails.
  remember(columns) {
    const gl = this.gl, now = new Float32Array(4 * this.trailed);
    for (let body = 0, k = 0; body < this.bodies; body += this.stride, k += 4) {
      for (let axis = 0; axis < 4; ++axis) now[k + axis] = columns[axis][body];
    }
    const slot = this.states++ % this.slots;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.past);
    gl.bufferSubData(gl.ARRAY_BUFFER, 16 * this.trailed * slot, now);
    if (slot === 0) gl.bufferSubData(gl.ARRAY_BUFFER, 16 * this.trailed * this.slots, now);
  }
  // The slowest and the fastest but for some outliers; changes slowly, so that colours do not flicker.
  follow(amounts) {
    const stride = Math.ceil(amounts.length / 2000), some = new Float32Array(Math.ceil(amounts.length / stride));
    for (let k = 0; k < some.length; ++k) some[k] = amounts[k * stride];
    some.sort();
    const at = share => some[Math.ceil(share * (some.length - 1))];
    const time = performance.now(), share = clamp((time - this.followedAt) / 300, 0.05, 1);
    this.followedAt = time;
    const now = [at(0.02), at(0.98)].map(value => this.logarithmic ? Math.log(Math.max(value, 1e-30)) : value);
    if (now.every(isFinite)) this.range = this.range ? this.range.map((old, k) => old + share * (now[k] - old)) : now;
  }

  drawTrails(program) {
    const gl = this.gl, states = Math.min(this.states - this.forgotten, this.slots);
    if (states < 2) return;
    gl.uniform1i(program.at.bodies, this.trailed);
    gl.uniform1i(program.at.states, states);
    gl.uniform1f(program.at.light, clamp(5 / Math.sqrt(this.trailed), 0.05, 0.7));
    gl.bindVertexArray(this.lines);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.past);
    for (let done = 0; done < states - 1;) { // lines lie in one piece, or in two around the end of the buffer
      const slot = (this.states - states + done) % this.slots, piece = Math.min(states - 1 - done, this.slots - slot);
      for (const k of [0, 1]) {
        gl.enableVertexAttribArray(k);
        gl.vertexAttribPointer(k, 4, gl.FLOAT, false, 16, 16 * this.trailed * (slot + k));
        gl.vertexAttribDivisor(k, 1);
      }
      gl.uniform1i(program.at.first, done);
      gl.drawArraysInstanced(gl.LINES, 0, 2, piece * this.trailed);
      done += piece;
    }
  }
  drawStars(program, glow) {
    const gl = this.gl;
    gl.uniform1f(program.at.sprite, glow ? 6 : 2);
    gl.uniform1f(program.at.light, Math.min(1, shareOf(this.bodies, 0.4)));
    gl.bindVertexArray(this.stars);
    gl.drawArrays(gl.POINTS, 0, this.bodies);
  }
}

class Painter {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2: try another one");
    Object.assign(this, { gl, canvas, film: null });
    this.format = gl.getExtension("EXT_color_buffer_float") || gl.getExtension("EXT_color_buffer_half_float") ? gl.RGBA16F : gl.RGBA8;
    this.programs = Object.fromEntries(Object.entries(SHADERS).map(([name, sources]) => [name, this.program(...sources)]));
    this.nothing = gl.createVertexArray();
    gl.enable(gl.BLEND);
  }
  program(...sources) {
    const gl = this.gl, id = gl.createProgram();
    sources.forEach((source, k) => {
      const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(id, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    });
    gl.linkProgram(id);
    const at = {};
    for (let k = 0; k < gl.getProgramParameter(id, gl.ACTIVE_UNIFORMS); ++k) {
      const { name } = gl.getActiveUniform(id, k);
      at[name] = gl.getUniformLocation(id, name);
    }
    return { id, at };
  }
  fit() {
    const { gl, canvas } = this, ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (this.film && canvas.width === width && canvas.height === height) return;
    Object.assign(canvas, { width, height });
    if (this.film) { gl.deleteTexture(this.film.texture); gl.deleteFramebuffer(this.film.frame); }
    this.film = { texture: gl.createTexture(), frame: gl.createFramebuffer() };
    gl.bindTexture(gl.TEXTURE_2D, this.film.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, this.format, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.film.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.film.texture, 0);
  }

  // Panels side by side: {drawn, target, size}, each with a target of its own for the camera.
  draw(panels, camera, look) {
    this.fit();
    const { gl, canvas: { width, height } } = this, each = Math.floor(width / panels.length);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.film.frame);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.enable(gl.SCISSOR_TEST); // so that a glow does not reach into the other panel
    panels.forEach((panel, k) => {
      const { drawn } = panel;
      if (!drawn?.range) return;
      gl.viewport(each * k, 0, each, height);
      gl.scissor(each * k, 0, each, height);
      const matrix = camera.matrix(each / height, panel);
      for (const name of look.trails(drawn.bodies) ? ["trails", "stars"] : ["stars"]) {
        const program = this.programs[name];
        gl.useProgram(program.id);
        gl.uniformMatrix4fv(program.at.matrix, false, matrix);
        gl.uniform1f(program.at.pixels ?? null, FOCAL * height / 2);
        gl.uniform2fv(program.at.range, drawn.range);
        gl.uniform1i(program.at.logarithmic, drawn.logarithmic ? 1 : 0);
        if (name === "trails") drawn.drawTrails(program); else drawn.drawStars(program, look.glow);
      }
    });
    gl.disable(gl.SCISSOR_TEST);
    this.develop(panels.length);
  }
  develop(panels) {
    const { gl, canvas: { width, height } } = this, program = this.programs.developed;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.blendFunc(gl.ONE, gl.ZERO);
    gl.useProgram(program.id);
    gl.uniform1f(program.at.panels, panels);
    gl.bindTexture(gl.TEXTURE_2D, this.film.texture);
    gl.bindVertexArray(this.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}
