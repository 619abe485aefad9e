"use strict";

// What the compiler wrote. Long lists are in single precision, as base 64.
const data = JSON.parse(document.getElementById("data").textContent);

const numbers = (text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
};

const times = numbers(data.times);
const poses = numbers(data.poses);
const nBodies = data.bodies.length;
const poseSize = data.planar ? 4 : 7;
const end = times[times.length - 1] || 1;

for (const panel of data.panels) {
  for (const curve of panel.curves) curve.values = numbers(curve.values);
}

// The last row at or before a time, and how far the time is on the way to the next.
function rowAt(time) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  const share = span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
  return { low, high, share };
}

// Poses between two rows: centres on a line, turns on the shorter arc.
function posesAt(time) {
  const { low, high, share } = rowAt(time);
  const list = [];
  for (let body = 0; body < nBodies; body++) {
    const a = (low * nBodies + body) * poseSize;
    const b = (high * nBodies + body) * poseSize;
    const mixed = [];
    for (let k = 0; k < poseSize; k++) mixed.push(poses[a + k] + share * (poses[b + k] - poses[a + k]));
    list.push(poseOf(mixed));
  }
  return list;
}

function poseOf(n) {
  const pose = data.planar
    ? { center: [n[0], n[1], 0], turn: [n[2], 0, 0, n[3]] }
    : { center: n.slice(0, 3), turn: n.slice(3) };
  const length = Math.hypot(...pose.turn) || 1;
  pose.turn = pose.turn.map((c) => c / length);
  return pose;
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

// v + 2 w (u × v) + 2 u × (u × v) for Euler parameters w, u
function turned(turn, v) {
  const u = turn.slice(1);
  const uv = cross(u, v);
  const uuv = cross(u, uv);
  return v.map((c, k) => c + 2 * (turn[0] * uv[k] + uuv[k]));
}

// Where a place on a body is in the world.
function located(frame, on, at) {
  if (on === null) return at;
  const arm = turned(frame[on].turn, at);
  return frame[on].center.map((c, k) => c + arm[k]);
}

// The path of a point, row by row; made when it is asked for first.
function pathOf(point) {
  if (!point.path) {
    point.path = Array.from(times, (time) => located(posesAt(time), point.place.on, point.place.at));
  }
  return point.path;
}

function placesOf(part) {
  if (part.kind === "span") return part.ends.map((end) => [end.on, end.at]);
  if (part.kind === "dot") return [[part.on, part.at]];
  return part.points.map((at) => [part.on, at]);
}
