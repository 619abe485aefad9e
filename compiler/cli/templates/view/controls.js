// Time, and what the reader does.
const byId = (id) => document.getElementById(id);
const state = { time: 0, playing: false, speed: 1, loop: true, names: false, jointNames: false };
const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
let waiting = false;

// At most one painting for each picture of the screen.
function refresh() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    show();
  });
}

function show() {
  paint(state.time, state);
  paintPlots(state.time);
  byId("slider").value = state.time;
  byId("clock").value = `${clockText(state.time)} s`;
}

function clockText(time) {
  return time.toFixed(end >= 20 ? 2 : end >= 1 ? 3 : 5);
}

function seek(time) {
  state.time = Math.min(end, Math.max(0, time));
  refresh();
}

function play(on) {
  if (on && state.time >= end) state.time = 0;
  state.playing = on;
  byId("play").classList.toggle("playing", on);
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
  if (on) {
    state.last = performance.now();
    requestAnimationFrame(tick);
  }
}

function tick(now) {
  if (!state.playing) return;
  let time = state.time + (state.speed * Math.max(0, now - state.last)) / 1000;
  state.last = now;
  if (time >= end) {
    time = state.loop ? time % end : end;
    if (!state.loop) play(false);
  }
  state.time = time;
  show();
  if (state.playing) requestAnimationFrame(tick);
}

// A run shorter or longer than a glance is shown slower or faster.
function suitedSpeed() {
  if (end >= 2 && end <= 20) return 1;
  const wanted = end / 6;
  return SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best));
}

function makeControls() {
  byId("slider").max = end;
  byId("slider").addEventListener("input", (event) => seek(Number(event.target.value)));
  byId("play").addEventListener("click", () => play(!state.playing));
  byId("fit").addEventListener("click", refit);
  byId("loop").addEventListener("change", (event) => (state.loop = event.target.checked));
  for (const speed of SPEEDS) byId("speed").add(new Option(`${speed} ×`, speed));
  state.speed = suitedSpeed();
  byId("speed").value = state.speed;
  byId("speed").addEventListener("change", (event) => (state.speed = Number(event.target.value)));
  toggle("names", "names");
  toggle("joint-names", "jointNames");
}

function toggle(id, key) {
  byId(id).addEventListener("change", (event) => {
    state[key] = event.target.checked;
    refresh();
  });
}

function makeTraces() {
  for (const point of data.points) {
    const row = byId("traces").appendChild(document.createElement("label"));
    const box = row.appendChild(document.createElement("input"));
    box.type = "checkbox";
    box.checked = point.shown;
    box.dataset.point = point.name;
    const swatch = row.appendChild(document.createElement("span"));
    swatch.className = "swatch";
    swatch.style.background = `var(--c${(point.place.on ?? 0) % 8})`;
    row.appendChild(document.createTextNode(point.name));
    box.addEventListener("change", () => {
      point.shown = box.checked;
      refresh();
    });
  }
}

function makeViews() {
  if (data.planar) return;
  const views = [
    ["home", home.azimuth, home.elevation],
    ["front", 0, 0],
    ["side", Math.PI / 2, 0],
    ["top", 0, 1.55],
  ];
  for (const [name, azimuth, elevation] of views) {
    const button = byId("views").appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = name;
    button.setAttribute("aria-label", `Look from: ${name}`);
    button.addEventListener("click", () => {
      look(azimuth, elevation);
      refresh();
    });
  }
}

function refit() {
  fit();
  refresh();
}

// One finger or button turns (moves in the plane), two or the other button move; wheel and pinch zoom.
function makePointers() {
  const held = new Map();
  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    held.set(event.pointerId, spot(event));
    canvas.setPointerCapture?.(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const now = spot(event);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other) pinch(other, before, now);
    else if (data.planar || event.shiftKey || event.buttons & 6) pan(dx, dy);
    else orbit(dx, dy);
    held.set(event.pointerId, now);
    refresh();
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => held.delete(event.pointerId));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", refit);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomAt(...spot(event), Math.exp(-0.0015 * event.deltaY));
    refresh();
  }, { passive: false });
}

function pinch(other, before, now) {
  const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
  pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  zoomAt((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, apart(now) / apart(before));
}

function makeKeys() {
  const step = (n) => {
    play(false);
    const { low, high, share } = rowAt(state.time);
    const row = (share > 0.5 ? high : low) + n;
    seek(times[Math.min(times.length - 1, Math.max(0, row))]);
  };
  const keys = {
    " ": () => play(!state.playing),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    ArrowUp: () => step(10),
    ArrowDown: () => step(-10),
    Home: () => seek(0),
    End: () => seek(end),
    f: refit,
    l: () => byId("loop").click(),
  };
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target.closest?.("select, button, summary, input[type=checkbox]");
    if (event.ctrlKey || event.metaKey || event.altKey || (elsewhere && event.key === " ") || event.target.closest?.("select")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

// A canvas of a new size is empty, so it is painted at once.
function renew() {
  readShades();
  resize();
  for (const plot of plots) plot.back = null;
  show();
}

makeControls();
makeTraces();
makeViews();
makePointers();
makeKeys();
makePlots(seek);
renew();
new ResizeObserver(renew).observe(canvas);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", renew);
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);

// For whoever looks from outside, such as a test.
window.bellcrank = {
  data,
  times,
  state,
  seek,
  play,
  point(name, time = state.time) {
    const { place } = data.points.find((point) => point.name === name);
    return located(posesAt(time), place.on, place.at);
  },
};
