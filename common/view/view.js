// The page of ./lab view: shows frames (data/README.md) as they come, and says what the viewer wants.
"use strict";

const $ = id => document.getElementById(id);
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const FASTEST = 1e6, AT_FIRST = 60; // iterations per second
const PATIENCE_MS = 3000;           // without a state: then the page says how long

const pace = { paused: false, rate: 0 };
const look = { glow: true, text: true, accelerations: false, trailed: null, trails(bodies) { return this.trailed ?? bodies <= 3000; } };
let panels = [], camera = null, painter = null, source = null, dirty = true;
const drawnAt = []; // times of the last pictures, ms

// --- messages --------------------------------------------------------------------------------------------------------------

// One byte: whose frame it is. The frame: a line of JSON, and columns of floats.
function parse(buffer) {
  const bytes = new Uint8Array(buffer), end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(1, end))), all = new Float32Array(buffer.slice(end + 1));
  const [mass, x, y, z, speed, acceleration] = Array.from({ length: 6 }, (_, k) => all.subarray(k * header.n, (k + 1) * header.n));
  return { header, mass, places: [x, y, z], speed, acceleration, isFinite: all.every(Number.isFinite) };
}

// The run itself, over a WebSocket: the server sends the newest frame once the last was drawn.
class Live {
  constructor() {
    const address = new URL("stream" + location.search, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({ data }) => typeof data === "string" ? this.hear(JSON.parse(data)) : this.take(data);
    this.socket.onclose = () => {
      for (const panel of panels) panel.ended ??= "the lab has ended, or the connection to it";
      if (!panels.length) $("notice").textContent = "The lab refused this page, or has ended: reload the page to try again.";
      dirty = true;
    };
  }
  hear(said) {
    if (said.title) begin(said);
    if (said.pace) Object.assign(pace, said.pace);
    if (said.ended) panels[said.ended.panel].ended = said.ended.text;
    dirty = true;
  }
  take(buffer) {
    panels[new Uint8Array(buffer)[0]].next = parse(buffer);
    dirty = true;
  }
  say(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }
  want(change) {
    Object.assign(pace, change);
    this.say(change);
  }
}

// --- what is shown ---------------------------------------------------------------------------------------------------------

class Panel {
  constructor() {
    this.text = $("panels").appendChild(document.createElement("pre"));
    Object.assign(this, { state: null, next: null, ended: null, followed: null, came: [], speed: 0 });
  }
  // The first state gives the middle and the scale. 95 % of the bodies are within the size: a few ejected ones do not shrink
  // the others to a dot.
  begin({ mass, places }) {
    const all = mass.reduce((sum, m) => sum + m, 0);
    this.centre = this.target = places.map(column => column.reduce((sum, q, body) => sum + mass[body] / all * q, 0));
    const distances = mass.map((_, body) => Math.hypot(...places.map((column, axis) => column[body] - this.centre[axis]))).sort();
    this.size = distances[Math.ceil(0.95 * (mass.length - 1))] || 1;
    this.drawn = new Drawn(painter.gl, mass);
    this.byMass = Array.from(mass.keys()).sort((a, b) => mass[b] - mass[a]);
  }
  // Takes the newest state; once per picture.
  advance(now) {
    if (!this.next) return;
    const before = this.state?.header, { header } = this.next;
    if (!before) this.begin(this.next);
    this.state = this.next;
    this.next = null;
    this.colour();
    if (header.iteration !== before?.iteration) this.drawn.remember(this.columns());
    this.came = [...this.came.filter(time => now - time < 1000), now];
    const speed = header.n ** 2 * (header.evaluations - before?.evaluations) / (header.wall_s - before?.wall_s);
    if (speed > 0) this.speed += (this.speed > 0 ? 0.1 : 1) * (speed - this.speed);
    this.look();
    source.say({ drawn: panels.indexOf(this) });
  }
  // Nothing has been accelerated before the first iteration.
  showsAccelerations() { return look.accelerations && this.state.header.iteration > 0; }
  columns() { return [...this.state.places, this.showsAccelerations() ? this.state.acceleration : this.state.speed]; }
  colour() { this.drawn.show(this.columns(), this.showsAccelerations()); }
  look() {
    if (this.followed === null) return;
    const place = this.state.places.map(column => column[this.followed]);
    if (place.every(isFinite)) this.target = place;
  }
  follow(body) {
    this.followed = body;
    if (body === null) this.target = this.centre;
    this.look();
  }
  // The nearest body to a place in this panel, pixels; null if none is near.
  pick(x, y, width, height) {
    const matrix = camera.matrix(width / height, this);
    let nearest = null, least = 15 ** 2;
    for (let body = 0; body < this.drawn.bodies; ++body) {
      const q = this.state.places.map(column => column[body]);
      const at = row => matrix[row] * q[0] + matrix[4 + row] * q[1] + matrix[8 + row] * q[2] + matrix[12 + row];
      const w = at(3), distance = ((at(0) / w + 1) / 2 * width - x) ** 2 + ((1 - at(1) / w) / 2 * height - y) ** 2;
      if (w > 0 && distance < least) [nearest, least] = [body, distance];
    }
    return nearest;
  }
  lines(now) {
    if (!this.state) return [this.ended ?? "waiting for the program"];
    const { header } = this.state;
    const lines = [`${header.part}/${header.name} in ${header.precision}, ${header.n} ${header.n === 1 ? "body" : "bodies"}`];
    lines.push(`iteration ${header.iteration}   ${header.time}`);
    if (this.speed > 0) lines.push(amount(this.speed) + " interactions/s" + this.compared());
    if (header.energy_error !== null) lines.push(`energy error ${header.energy_error < 0 ? "" : "+"}${header.energy_error.toExponential(1)}`);
    if (this.followed !== null) lines.push(`follows body ${this.followed}`);
    if (!this.state.isFinite) lines.push("no longer finite numbers: is the step (--dt) too large?");
    if (this.ended) lines.push(this.ended);
    else if (pace.paused) lines.push("paused");
    else lines.push(pace.rate ? `at most ${pace.rate} iterations/s` : "as fast as it can");
    const silence = now - this.came.at(-1);
    if (!this.ended && !pace.paused && silence > PATIENCE_MS) lines.push(`computing, ${Math.round(silence / 1000)} s so far`);
    return lines;
  }
  compared() {
    const first = panels[0];
    return this === first || !(first.speed > 0) ? "" : `: ${(this.speed / first.speed).toPrecision(3)} x ${first.state.header.name}`;
  }
}

const amount = number => number >= 1e8 ? `${(number / 1e9).toPrecision(3)} x 10^9` : `${(number / 1e6).toPrecision(3)} x 10^6`;

function begin(setting) {
  camera = new Camera();
  panels = Array.from({ length: setting.panels }, () => new Panel());
  document.title = setting.title;
}

function picture(now) {
  requestAnimationFrame(picture);
  for (const panel of panels) panel.advance(now);
  const isQuiet = panels.some(panel => now - (panel.came.at(-1) ?? now) > PATIENCE_MS);
  if (!dirty && !panels.some(panel => panel.came.at(-1) === now) && !(isQuiet && Math.round(now / 16) % 30 === 0)) return;
  dirty = false;
  if (camera) painter.draw(panels, camera, look);
  while (drawnAt.length && now - drawnAt[0] > 1000) drawnAt.shift();
  drawnAt.push(now);
  document.body.classList.toggle("bare", !look.text);
  panels.forEach((panel, k) => {
    const rates = k === 0 && panel.state ? [`${many(drawnAt.length, "picture")}/s, ${many(panel.came.length, "state")}/s`] : [];
    const text = [...panel.lines(now), ...rates].join("\n");
    if (panel.text.textContent !== text) panel.text.textContent = text;
  });
  const pressed = { " ": pace.paused, a: !pace.rate, c: look.accelerations, g: look.glow, t: panels.some(({ drawn }) => drawn && look.trails(drawn.bodies)) };
  for (const [key, is] of Object.entries(pressed)) document.querySelector(`[data-key="${key}"]`).setAttribute("aria-pressed", is);
}

// --- keys, mouse, touch ----------------------------------------------------------------------------------------------------

const forget = () => panels.forEach(({ drawn }) => drawn?.forget());
const KEYS = {
  " "() { source.want({ paused: !pace.paused }); },
  s() { source.say({ step: true }); },
  "+"() { if (pace.rate) source.want({ rate: Math.min(2 * pace.rate, FASTEST) }); },
  "-"() { source.want({ rate: pace.rate ? Math.max(pace.rate / 2, 0.25) : AT_FIRST }); },
  a() { source.want({ rate: 0 }); },
  c() {
    look.accelerations = !look.accelerations;
    for (const panel of panels) if (panel.state) panel.colour();
    forget();
  },
  t() { look.trailed = !panels.some(({ drawn }) => drawn && look.trails(drawn.bodies)); },
  g() { look.glow = !look.glow; },
  f() {
    for (const panel of panels) {
      if (panel.state) panel.follow(panel.byMass[(panel.byMass.indexOf(panel.followed) + 1) % panel.byMass.length]);
    }
    forget();
  },
  r() {
    camera.reset();
    for (const panel of panels) if (panel.state) panel.follow(null);
  },
  p() { save(); },
  h() { look.text = !look.text; },
  ArrowLeft() { camera.orbit(-0.1, 0); },
  ArrowRight() { camera.orbit(0.1, 0); },
  ArrowUp() { camera.orbit(0, 0.1); },
  ArrowDown() { camera.orbit(0, -0.1); },
  PageUp() { camera.zoom(1.25); },
  PageDown() { camera.zoom(0.8); },
};

function press(key) {
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (!act || !camera) return false;
  act();
  dirty = true;
  return true;
}

// What is seen, with the text, as a PNG file.
function save() {
  painter.draw(panels, camera, look);
  const { width, height, clientWidth } = painter.canvas, ratio = width / clientWidth;
  const copy = Object.assign(document.createElement("canvas"), { width, height }), context = copy.getContext("2d");
  context.drawImage(painter.canvas, 0, 0);
  context.font = `${14 * ratio}px monospace`;
  context.fillStyle = "#ccd9f0";
  if (look.text) {
    panels.forEach((panel, k) => panel.text.textContent.split("\n").forEach((line, row) =>
      context.fillText(line, (16 + k * clientWidth / panels.length) * ratio, (26 + 20 * row) * ratio)));
  }
  copy.toBlob(blob => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob) });
    link.download = `view.${panels[0]?.state?.header.iteration ?? 0}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

function listen(canvas) {
  const touches = new Map();
  let moved = 0;
  const spread = () => { const [a, b] = [...touches.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key === " " && event.target.tagName === "BUTTON")) return;
    if (press(event.key === "=" ? "+" : event.key)) event.preventDefault();
  });
  $("bar").addEventListener("click", event => {
    if (event.target.dataset.key) press(event.target.dataset.key);
    if (event.detail) event.target.blur(); // clicked, not typed: the space bar shall go on to pause
  });
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (touches.size === 1) moved = 0;
  });
  canvas.addEventListener("pointermove", event => {
    const touch = touches.get(event.pointerId);
    if (!touch || !camera) return;
    const before = touches.size === 2 ? spread() : 0, dx = event.clientX - touch.x, dy = event.clientY - touch.y;
    Object.assign(touch, { x: event.clientX, y: event.clientY });
    moved += Math.abs(dx) + Math.abs(dy);
    if (before) camera.zoom(spread() / before); else if (touches.size === 1) camera.orbit(-0.006 * dx, 0.006 * dy);
    dirty = true;
  });
  const release = event => {
    if (touches.delete(event.pointerId) && event.type === "pointerup" && moved < 5 && camera) click(event);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("wheel", event => {
    if (camera) camera.zoom(Math.exp(-0.001 * clamp(event.deltaY, -300, 300)));
    dirty = true;
    event.preventDefault();
  }, { passive: false });
  addEventListener("resize", () => { dirty = true; });
}

// Follows the body under the pointer in all panels: the bodies are the same.
function click(event) {
  const each = painter.canvas.clientWidth / panels.length, k = Math.min(panels.length - 1, Math.floor(event.clientX / each));
  if (!panels[k]?.state) return;
  const body = panels[k].pick(event.clientX - k * each, event.clientY, each, painter.canvas.clientHeight);
  for (const panel of panels) if (panel.state) panel.follow(body);
  forget();
  dirty = true;
}

function start() {
  try {
    painter = new Painter($("sky"));
    source = new Live();
    listen($("sky"));
    requestAnimationFrame(picture);
  } catch (error) {
    $("notice").textContent = error.message;
  }
}
start();
