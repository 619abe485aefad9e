// The eye: in the plane it moves and zooms, in space it also turns about the upright and rises.
const canvas = document.getElementById("scene");
const home = data.drawing.camera;
const eye = { azimuth: home.azimuth, elevation: home.elevation, zoom: 1, middle: [0, 0], fitted: true };
let pixels = { width: 1, height: 1, ratio: 1 };

// To the right, up, away, as in camera.rs.
function see(point) {
  const p = point.map((c, k) => c - home.target[k]);
  if (data.planar) return [p[0], p[1], 0];
  const [a, b, h] = home.basis.map((direction) => dot(p, direction));
  const right = a * Math.cos(eye.azimuth) + b * Math.sin(eye.azimuth);
  const away = b * Math.cos(eye.azimuth) - a * Math.sin(eye.azimuth);
  const depth = away * Math.cos(eye.elevation) - h * Math.sin(eye.elevation);
  const k = home.distance / Math.max(home.distance + depth, 0.05 * home.distance);
  return [k * right, k * (h * Math.cos(eye.elevation) + away * Math.sin(eye.elevation)), depth];
}

// A point on the sheet, in pixels, with its depth.
function screen(point) {
  const [x, y, depth] = see(point);
  return [
    pixels.width / 2 + eye.zoom * (x - eye.middle[0]),
    pixels.height / 2 - eye.zoom * (y - eye.middle[1]),
    depth,
  ];
}

// Shows all that the mechanism reaches.
function fit() {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const take = (point) => {
    const seen = see(point);
    for (const k of [0, 1]) {
      low[k] = Math.min(low[k], seen[k]);
      high[k] = Math.max(high[k], seen[k]);
    }
  };
  const places = data.drawing.parts.flatMap(placesOf);
  const every = Math.max(1, Math.ceil(times.length / 60));
  for (let row = 0; row < times.length; row += every) {
    const frame = posesAt(times[row]);
    for (const [on, at] of places) if (on !== null || row === 0) take(located(frame, on, at));
  }
  if (!(low[0] <= high[0])) return;
  const room = 36;
  const share = (k, length) => (length - 2 * room) / Math.max(high[k] - low[k], 2 * data.drawing.unit);
  eye.zoom = Math.max(1e-9, Math.min(share(0, pixels.width), share(1, pixels.height)));
  eye.middle = [0, 1].map((k) => (low[k] + high[k]) / 2);
  eye.fitted = true;
}

function resize() {
  const box = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  pixels = { width: Math.max(1, box.width), height: Math.max(1, box.height), ratio };
  canvas.width = Math.round(pixels.width * ratio);
  canvas.height = Math.round(pixels.height * ratio);
  if (eye.fitted) fit();
}

function zoomAt(x, y, factor) {
  const before = [eye.middle[0] + (x - pixels.width / 2) / eye.zoom, eye.middle[1] - (y - pixels.height / 2) / eye.zoom];
  eye.zoom *= factor;
  eye.middle = [before[0] - (x - pixels.width / 2) / eye.zoom, before[1] + (y - pixels.height / 2) / eye.zoom];
  eye.fitted = false;
}

function pan(dx, dy) {
  eye.middle = [eye.middle[0] - dx / eye.zoom, eye.middle[1] + dy / eye.zoom];
  eye.fitted = false;
}

function orbit(dx, dy) {
  eye.azimuth -= 0.008 * dx;
  eye.elevation = Math.min(1.55, Math.max(-1.55, eye.elevation + 0.008 * dy));
}

function look(azimuth, elevation) {
  eye.azimuth = azimuth;
  eye.elevation = elevation;
  fit();
}
