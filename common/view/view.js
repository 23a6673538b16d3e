// The page of ./lab view and ./lab run: shows states as they come, and says what the viewer wants. docs/protocol.md
// describes the messages.
"use strict";

const $ = id => document.getElementById(id);
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const FASTEST = 1e6, AT_FIRST = 60; // iterations per second
const PATIENCE_MS = 3000;           // without a state: then the page says how long

const wish = { paused: false, steps: 0, rate: 0, accelerations: false };
const look = { glow: true, text: true, trailed: null, trails(bodies) { return this.trailed ?? bodies <= 3000; } };
let panels = [], camera = null, painter = null, source = null, dirty = true, mayRestart = false;
const drawnAt = []; // times of the last pictures, ms

// --- messages --------------------------------------------------------------------------------------------------------------

// A header, one line of JSON whose length is a multiple of 4, and columns of floats.
function parse(buffer, start) {
  const bytes = new Uint8Array(buffer, start), end = bytes.indexOf(10);
  return { header: JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))), columns: new Float32Array(buffer, start + end + 1) };
}

// The run itself, over a WebSocket: the server sends the newest state once the last was drawn.
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
    if (said.setting) begin(said.setting);
    if (said.wish) Object.assign(wish, said.wish);
    if (said.ended) panels[said.ended.panel].ended = said.ended.text;
    dirty = true;
  }
  take(buffer) {
    const panel = panels[new Uint32Array(buffer, 0, 1)[0]], message = parse(buffer, 4);
    if (message.header.viewer) panel.greet(message); else panel.next = message;
    dirty = true;
  }
  say(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }
  want() { this.say({ wish }); }
  shown(panel) { this.say({ shown: panels.indexOf(panel) }); }
  restart() { this.say({ restart: true }); }
}

// --- what is shown ---------------------------------------------------------------------------------------------------------

class Panel {
  constructor() {
    this.text = $("panels").appendChild(document.createElement("pre"));
    this.target = [0, 0, 0];
    this.came = [];
  }
  greet({ header, columns }) {
    Object.assign(this, { greeting: header, state: null, next: null, ended: null, followed: null, came: [], speed: 0 });
    this.target = [0, 0, 0];
    this.drawn = new Drawn(painter.gl, columns);
    this.byMass = Array.from(columns.keys());
    if (columns.length <= 100000) this.byMass.sort((a, b) => columns[b] - columns[a]);
    else {
      const heaviest = this.byMass.reduce((best, body) => columns[body] > columns[best] ? body : best, 0);
      [this.byMass[0], this.byMass[heaviest]] = [heaviest, 0];
    }
  }
  // Takes the newest state; once per picture.
  advance(now) {
    if (!this.next) return;
    const isNew = this.state?.header.iteration !== this.next.header.iteration;
    this.state = this.next;
    this.next = null;
    this.drawn.show(this.state.columns, this.state.header.accelerations, isNew);
    this.came = [...this.came.filter(time => now - time < 1000), now];
    const speed = this.state.header.interactions_per_s;
    if (speed > 0) this.speed += (this.speed > 0 ? 0.1 : 1) * (speed - this.speed);
    this.look();
    source.shown(this);
  }
  look() {
    if (this.followed === null || !this.state) return;
    const n = this.drawn.bodies, place = [0, 1, 2].map(axis => this.state.columns[axis * n + this.followed]);
    if (place.every(isFinite)) this.target = place;
  }
  follow(body) {
    this.followed = body;
    if (body === null) this.target = [0, 0, 0];
    this.look();
  }
  // The nearest body to a place in this panel, pixels; null if none is near.
  pick(x, y, width, height) {
    const matrix = camera.matrix(width / height, this.target), columns = this.state.columns, n = this.drawn.bodies;
    let nearest = null, least = 15 ** 2;
    for (let body = 0; body < n; ++body) {
      const q = [columns[body], columns[n + body], columns[2 * n + body]];
      const at = row => matrix[row] * q[0] + matrix[4 + row] * q[1] + matrix[8 + row] * q[2] + matrix[12 + row];
      const w = at(3), distance = ((at(0) / w + 1) / 2 * width - x) ** 2 + ((1 - at(1) / w) / 2 * height - y) ** 2;
      if (w > 0 && distance < least) [nearest, least] = [body, distance];
    }
    return nearest;
  }
  lines(now) {
    const { greeting, state } = this;
    if (!greeting) return [this.ended ?? "waiting for the program"];
    const lines = [`${greeting.part}/${greeting.name} in ${greeting.precision}, ${greeting.bodies} bodies`];
    if (!state) return [...lines, this.ended ?? "waiting for the first state"];
    const { header } = state;
    lines.push(`iteration ${header.iteration}   ${header.time}`);
    if (this.speed > 0) lines.push(amount(this.speed) + " interactions/s" + this.compared());
    if (header.energy_error !== null) lines.push(`energy error ${header.energy_error < 0 ? "" : "+"}${header.energy_error.toExponential(1)}`);
    if (this.followed !== null) lines.push(`follows body ${this.followed}`);
    if (!header.finite) lines.push("no longer finite numbers: is the step (--dt) too large?");
    if (this.ended || header.last) lines.push(this.ended ?? "the run has ended");
    else if (wish.paused) lines.push("paused");
    else lines.push(wish.rate ? `at most ${wish.rate} iterations/s` : "as fast as it can");
    const silence = now - this.came.at(-1);
    if (!this.ended && !header.last && !wish.paused && silence > PATIENCE_MS) lines.push(`computing, ${Math.round(silence / 1000)} s so far`);
    return lines;
  }
  compared() {
    const first = panels[0];
    return this === first || !(first.speed > 0) ? "" : `: ${(this.speed / first.speed).toPrecision(3)} x ${first.greeting.name}`;
  }
}

const amount = number => number >= 1e8 ? `${(number / 1e9).toPrecision(3)} x 10^9` : `${(number / 1e6).toPrecision(3)} x 10^6`;

function begin(setting) {
  camera ??= new Camera(setting.tilt * Math.PI / 180, setting.zoom);
  if (!panels.length) Object.assign(look, { trailed: setting.trails, text: setting.text });
  $("panels").replaceChildren();
  panels = Array.from({ length: setting.panels }, () => new Panel());
  mayRestart = setting.may_restart;
  document.title = setting.title;
  $("restart").hidden = !mayRestart;
  Object.assign(wish, setting.wish);
  dirty = true;
}

function picture(now) {
  requestAnimationFrame(picture);
  for (const panel of panels) panel.advance(now);
  const isQuiet = panels.some(panel => now - (panel.came?.at(-1) ?? now) > PATIENCE_MS);
  if (!dirty && !panels.some(panel => panel.came?.at(-1) === now) && !(isQuiet && Math.round(now / 16) % 30 === 0)) return;
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
  const pressed = { " ": wish.paused, a: !wish.rate, c: wish.accelerations, g: look.glow, t: panels.some(({ drawn }) => drawn && look.trails(drawn.bodies)) };
  for (const [key, is] of Object.entries(pressed)) document.querySelector(`[data-key="${key}"]`).setAttribute("aria-pressed", is);
}

// --- keys, mouse, touch ----------------------------------------------------------------------------------------------------

const forget = () => panels.forEach(({ drawn }) => drawn?.forget());
const pause = () => { wish.paused = true; };
const KEYS = {
  " "() { wish.paused = !wish.paused; source.want(); },
  s() { pause(); wish.steps += 1; source.want(); },
  "+"() { if (wish.rate) wish.rate = Math.min(2 * wish.rate, FASTEST); source.want(); },
  "-"() { wish.rate = wish.rate ? Math.max(wish.rate / 2, 0.25) : AT_FIRST; source.want(); },
  a() { wish.rate = 0; source.want(); },
  c() { wish.accelerations = !wish.accelerations; forget(); source.want(); },
  t() { look.trailed = !panels.some(({ drawn }) => drawn && look.trails(drawn.bodies)); },
  g() { look.glow = !look.glow; },
  f() {
    for (const panel of panels) {
      if (panel.state) panel.follow(panel.byMass[(panel.byMass.indexOf(panel.followed) + 1) % panel.byMass.length]);
    }
    forget();
  },
  r() { camera.reset(); for (const panel of panels) panel.follow(null); },
  p() { save(); },
  h() { look.text = !look.text; },
  n() { if (mayRestart) source.restart(); },
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
  for (const panel of panels) panel.follow(body);
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
