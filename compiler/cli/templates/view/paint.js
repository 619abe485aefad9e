// Paints one moment: floor, traces, parts from far to near, names.
const context = canvas.getContext("2d");
const shades = {};

function readShades() {
  const style = getComputedStyle(document.documentElement);
  const shade = (name) => style.getPropertyValue("--" + name).trim();
  for (const name of ["paper", "canvas", "grid", "ink", "soft", "ground", "accent", "drive", "line"]) shades[name] = shade(name);
  shades.bodies = Array.from({ length: 8 }, (_, k) => shade("c" + k));
}

const shadeOf = (body) => shades.bodies[(body ?? 0) % shades.bodies.length];

function colorOf(part) {
  switch (part.look) {
    case "body": return shadeOf(part.on);
    case "mark": return shades.ink;
    case "joint": return shades.canvas;
    case "drive": return shades.drive;
    default: return shades.ground;
  }
}

// Bars stay visible from afar and slender from near.
const widthOf = (width) => Math.min(26, Math.max(2, width * eye.zoom));

function paint(time, options) {
  const frame = posesAt(time);
  context.setTransform(pixels.ratio, 0, 0, pixels.ratio, 0, 0);
  context.clearRect(0, 0, pixels.width, pixels.height);
  context.lineCap = context.lineJoin = "round";
  if (data.planar) paintRuler();
  else paintFloor();
  for (const point of data.points) if (point.shown) paintTrace(point, time, frame);
  for (const item of sorted(frame)) item.paint();
  paintTriad();
  if (options.names) paintNames(frame);
  if (options.jointNames) paintJointNames(frame);
}

// Far parts first. A joint is seen through what it joins, whose middle may be nearer; a mark lies on its body.
function sorted(frame) {
  const nearer = { joint: Infinity, drive: Infinity, mark: 3 * data.drawing.unit, rail: -4 * data.drawing.unit };
  const items = data.drawing.parts.map((part) => {
    const points = placesOf(part).map(([on, at]) => screen(located(frame, on, at)));
    const depth = points.reduce((sum, p) => sum + p[2], 0) / points.length;
    return { depth: depth - (nearer[part.look] ?? 0), paint: () => painters[part.kind](part, points) };
  });
  return data.planar ? items : items.sort((a, b) => (b.depth === a.depth ? 0 : b.depth - a.depth));
}

const painters = {
  hull(part, points) {
    const corners = hull(points);
    outline(corners, true);
    edged(colorOf(part), part.width > 0 ? widthOf(part.width) : 0.6, true);
  },
  stroke(part, points) {
    outline(points, false);
    if (part.width > 0) edged(colorOf(part), widthOf(part.width), false);
    else line(colorOf(part), 1.2);
  },
  dot(part, points) {
    const [x, y] = points[0];
    context.beginPath();
    context.arc(x, y, Math.min(20, Math.max(1.8, part.radius * eye.zoom)), 0, 2 * Math.PI);
    context.fillStyle = colorOf(part);
    context.fill();
    line(shades.ink, 1.5);
  },
  span(part, points) {
    const half = Math.min(12, Math.max(2.5, part.width * eye.zoom));
    for (const corners of reach(part.span, points[0], points[1], half)) {
      outline(corners, false);
      if (part.span === "rod") edged(shades.ground, 0.7 * half, false);
      else line(shades.ink, 1.6);
    }
  },
};

function outline(points, closed) {
  context.beginPath();
  points.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  if (closed) context.closePath();
}

function line(color, width) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

// A line or an area with a thin dark edge.
function edged(color, width, filled) {
  line(shades.ink, width + 2);
  line(color, width);
  if (!filled) return;
  context.fillStyle = color;
  context.fill();
}

// The convex hull, by Andrew's monotone chain.
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = (list) => {
    const kept = [];
    for (const point of list) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], point) <= 0) kept.pop();
      kept.push(point);
    }
    kept.pop();
    return kept;
  };
  const found = [...chain(sorted), ...chain(sorted.reverse())];
  return found.length ? found : points;
}

// The lines of a spring, a damper, a rod or an actuator between two ends.
function reach(span, a, b, half) {
  const along = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(...along) || 1;
  const aside = [(-along[1] / length) * half, (along[0] / length) * half];
  const at = (s, d) => [a[0] + s * along[0] + d * aside[0], a[1] + s * along[1] + d * aside[1]];
  const coil = (_, k) => at(0.15 + (0.7 * (k + 0.5)) / 10, k % 2 ? -1 : 1);
  const spring = [at(0, 0), at(0.15, 0), ...Array.from({ length: 10 }, coil), at(0.85, 0), at(1, 0)];
  const damper = [
    [at(0, 0), at(0.35, 0)],
    [at(0.65, 0.8), at(0.35, 0.8), at(0.35, -0.8), at(0.65, -0.8)],
    [at(0.5, 0.6), at(0.5, -0.6)],
    [at(0.5, 0), at(1, 0)],
  ];
  switch (span) {
    case "spring": return [spring];
    case "damper": return damper;
    case "strut": return [...damper, spring];
    case "rod": return [[a, b]];
    default: return [
      [at(0, 0.5), at(0.55, 0.5), at(0.55, -0.5), at(0, -0.5), at(0, 0.5)],
      [at(0.55, 0), at(1, 0)],
    ];
  }
}

// The whole path faintly, what lies behind strongly.
function paintTrace(point, time, frame) {
  const path = pathOf(point).map(screen);
  const { low } = rowAt(time);
  const now = screen(located(frame, point.place.on, point.place.at));
  const color = shadeOf(point.place.on);
  context.globalAlpha = 0.28;
  outline(path, false);
  line(color, 1.4);
  context.globalAlpha = 0.9;
  outline([...path.slice(0, low + 1), now], false);
  line(color, 1.9);
  context.globalAlpha = 1;
}

// 1, 2 or 5 times a power of ten, not less than a length.
function nice(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * [1, 2, 5, 10].find((k) => k * power >= length * 0.999);
}

function paintFloor() {
  const size = home.distance / 2.6;
  const step = nice(size / 8);
  const [e1, e2, up] = home.basis;
  const [a0, b0] = [dot(home.target, e1), dot(home.target, e2)];
  const n = Math.ceil((0.7 * size) / step);
  const at = (a, b) => screen([0, 1, 2].map((k) => a * e1[k] + b * e2[k] + data.drawing.floor * up[k]));
  const [a, b] = [Math.round(a0 / step) * step, Math.round(b0 / step) * step];
  for (let k = -n; k <= n; k++) {
    outline([at(a + k * step, b - n * step), at(a + k * step, b + n * step)], false);
    line(shades.grid, 1);
    outline([at(a - n * step, b + k * step), at(a + n * step, b + k * step)], false);
    line(shades.grid, 1);
  }
}

// A length to compare with, in the lower left corner.
function paintRuler() {
  const length = nice(70 / eye.zoom);
  const [x, y, width] = [16, pixels.height - 16, length * eye.zoom];
  outline([[x, y - 4], [x, y], [x + width, y], [x + width, y - 4]], false);
  line(shades.soft, 1.2);
  label(length >= 1e-2 ? `${+length.toPrecision(3)} m` : `${+(1e3 * length).toPrecision(3)} mm`, x + width / 2, y - 6, shades.soft, "center");
}

function paintTriad() {
  if (data.planar) return;
  const [x, y] = [44, pixels.height - 44];
  const start = see(home.target);
  const tips = [0, 1, 2].map((k) => {
    const tip = see(home.target.map((c, i) => c + (i === k ? 1e-3 * home.distance : 0)));
    const s = 28 / (1e-3 * home.distance);
    return [x + s * (tip[0] - start[0]), y - s * (tip[1] - start[1]), tip[2]];
  });
  tips.forEach((tip, k) => {
    outline([[x, y], tip], false);
    line(shades.soft, 1.4);
    label("xyz"[k], x + 1.28 * (tip[0] - x), y + 1.28 * (tip[1] - y) + 4, shades.soft, "center");
  });
}

function label(text, x, y, color, align) {
  context.font = "12px system-ui, sans-serif";
  context.textAlign = align;
  context.lineWidth = 3;
  context.strokeStyle = shades.canvas;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

function paintNames(frame) {
  data.bodies.forEach((name, body) => {
    const [x, y] = screen(data.middles[body] ? located(frame, body, data.middles[body]) : frame[body].center);
    label(name, x, y - 8, shades.ink, "center");
  });
}

function paintJointNames(frame) {
  for (const joint of data.joints) {
    const [x, y] = screen(located(frame, joint.place.on, joint.place.at));
    label(joint.name, x + 9, y + 14, shades.soft, "left");
  }
}
