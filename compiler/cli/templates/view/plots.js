// Curves over time, each panel with a cursor at the moment that the mechanism shows.
const plots = [];
const insets = { left: 52, right: 8, top: 8, bottom: 18 };
// What is shown as the lowest value on a logarithmic scale.
const FLOOR = 1e-18;

function makePlots(seek) {
  const list = document.getElementById("plots");
  for (const panel of data.panels) {
    const figure = document.createElement("figure");
    const caption = figure.appendChild(document.createElement("figcaption"));
    caption.appendChild(document.createElement("b")).textContent = panel.title;
    if (panel.unit) {
      const unit = caption.appendChild(document.createElement("span"));
      unit.className = "unit";
      unit.textContent = panel.unit;
    }
    const readings = panel.curves.map((curve, k) => makeKey(caption, curve, k, panel.curves.length > 1 || curve.name !== panel.title));
    const sheet = figure.appendChild(document.createElement("canvas"));
    sheet.setAttribute("role", "img");
    sheet.setAttribute("aria-label", `${panel.title} over time; click to go to a moment`);
    list.appendChild(figure);
    const plot = { panel, sheet, readings, range: rangeOf(panel), hover: null };
    plots.push(plot);
    listen(plot, seek);
  }
}

function makeKey(caption, curve, k, named) {
  const key = caption.appendChild(document.createElement("span"));
  key.className = "key";
  if (named) {
    key.appendChild(document.createElement("i")).style.background = `var(--c${k % 8})`;
    key.appendChild(document.createTextNode(curve.name));
  }
  return key.appendChild(document.createElement("output"));
}

function listen(plot, seek) {
  const timeAt = (event) => {
    const box = plot.sheet.getBoundingClientRect();
    const share = (event.clientX - box.left - insets.left) / (box.width - insets.left - insets.right);
    return end * Math.min(1, Math.max(0, share));
  };
  plot.sheet.addEventListener("pointerdown", (event) => {
    plot.held = true;
    seek(timeAt(event));
  });
  plot.sheet.addEventListener("pointermove", (event) => {
    plot.hover = timeAt(event);
    if (plot.held && event.buttons) seek(plot.hover);
    refresh();
  });
  for (const kind of ["pointerup", "pointercancel"]) plot.sheet.addEventListener(kind, () => (plot.held = false));
  plot.sheet.addEventListener("pointerleave", () => {
    plot.held = false;
    plot.hover = null;
    refresh();
  });
}

const heightOf = (panel, value) => (panel.scale === "linear" ? value : Math.log10(Math.max(value, FLOOR)));

function rangeOf(panel) {
  let [low, high] = [Infinity, -Infinity];
  for (const curve of panel.curves) {
    for (const value of curve.values) {
      const height = heightOf(panel, value);
      if (Number.isFinite(height)) [low, high] = [Math.min(low, height), Math.max(high, height)];
    }
  }
  if (!(low <= high)) return [0, 1];
  if (panel.scale !== "linear") return [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
  // What changes by less than this part of its size is level.
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > 1e-5 * size ? 0.06 * (high - low) : 0.5 * size || 1;
  return [low - room, high + room];
}

// Curves do not change while the cursor moves, so they are painted once for each size and shade.
function prepare(plot) {
  const box = plot.sheet.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  plot.size = [box.width, box.height];
  plot.ratio = ratio;
  plot.sheet.width = Math.round(box.width * ratio);
  plot.sheet.height = Math.round(box.height * ratio);
  plot.back = document.createElement("canvas");
  plot.back.width = plot.sheet.width;
  plot.back.height = plot.sheet.height;
  const ink = plot.back.getContext("2d");
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  axes(plot, ink);
  plot.panel.curves.forEach((curve, k) => curveOf(plot, ink, curve, shadeOf(k)));
}

const across = (plot, time) => insets.left + (time / end) * (plot.size[0] - insets.left - insets.right);

function up(plot, value) {
  const [low, high] = plot.range;
  const share = (heightOf(plot.panel, value) - low) / (high - low);
  return plot.size[1] - insets.bottom - share * (plot.size[1] - insets.top - insets.bottom);
}

function axes(plot, ink) {
  const [width, height] = plot.size;
  ink.font = "11px system-ui, sans-serif";
  ink.fillStyle = shades.soft;
  ink.strokeStyle = shades.grid;
  ink.lineWidth = 1;
  ink.textAlign = "right";
  ink.textBaseline = "middle";
  const [low, high] = plot.range;
  const linear = plot.panel.scale === "linear";
  const step = linear ? nice((high - low) / 4) : Math.max(1, Math.ceil((high - low) / 4));
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) {
    const y = up(plot, linear ? tick : 10 ** tick);
    segment(ink, insets.left, y, width - insets.right, y);
    ink.fillText(linear ? tickText(tick, step) : `1e${Math.round(tick)}`, insets.left - 6, y);
  }
  ink.textAlign = "center";
  ink.textBaseline = "alphabetic";
  const apart = nice(end / 6);
  for (let k = 0; k * apart <= end * 1.0001; k++) {
    const x = across(plot, k * apart);
    segment(ink, x, insets.top, x, height - insets.bottom);
    const last = (k + 1) * apart > end * 1.0001;
    ink.fillText(tickText(k * apart, apart) + (last ? " s" : ""), Math.min(x, width - 14), height - 4);
  }
}

function segment(ink, x1, y1, x2, y2) {
  ink.beginPath();
  ink.moveTo(x1, y1);
  ink.lineTo(x2, y2);
  ink.stroke();
}

// As many digits as tell one tick from the next.
function tickText(value, step) {
  const size = Math.abs(value);
  if (size < step / 2) return "0";
  const power = (x) => Math.floor(Math.log10(x) + 1e-9);
  if (size >= 1e5 || step < 1e-4) return minus(value.toExponential(Math.max(0, power(size) - power(step))));
  return minus(value.toFixed(Math.max(0, -power(step))));
}

const minus = (text) => text.replace(/^-/, "−");

function curveOf(plot, ink, curve, color) {
  ink.save();
  ink.beginPath();
  ink.rect(insets.left, 0, plot.size[0], plot.size[1]);
  ink.clip();
  ink.beginPath();
  let down = false;
  for (let row = 0; row < times.length; row++) {
    const y = up(plot, curve.values[row]);
    if (!Number.isFinite(y)) down = false;
    else if (down) ink.lineTo(across(plot, times[row]), y);
    else ink.moveTo(across(plot, times[row]), y);
    down = down || Number.isFinite(y);
  }
  ink.strokeStyle = color;
  ink.lineWidth = 1.7;
  ink.lineJoin = "round";
  ink.stroke();
  ink.restore();
}

const valueAt = (curve, time) => {
  const { low, high, share } = rowAt(time);
  return curve.values[low] + share * (curve.values[high] - curve.values[low]);
};

function paintPlots(time) {
  for (const plot of plots) {
    if (!plot.back) prepare(plot);
    const ink = plot.sheet.getContext("2d");
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.clearRect(0, 0, plot.sheet.width, plot.sheet.height);
    ink.drawImage(plot.back, 0, 0);
    ink.setTransform(plot.ratio, 0, 0, plot.ratio, 0, 0);
    cursor(plot, ink, time, shades.accent);
    if (plot.hover !== null && plot.hover !== time) cursor(plot, ink, plot.hover, shades.soft);
    const read = plot.hover ?? time;
    plot.panel.curves.forEach((curve, k) => (plot.readings[k].value = reading(valueAt(curve, read))));
  }
}

function cursor(plot, ink, time, color) {
  const x = across(plot, time);
  ink.strokeStyle = color;
  ink.lineWidth = 1.2;
  segment(ink, x, insets.top, x, plot.size[1] - insets.bottom);
  plot.panel.curves.forEach((curve, k) => {
    const y = up(plot, valueAt(curve, time));
    if (!Number.isFinite(y)) return;
    ink.beginPath();
    ink.arc(x, y, 3, 0, 2 * Math.PI);
    ink.fillStyle = shadeOf(k);
    ink.fill();
  });
}

// Five digits; powers of ten where they are many.
function reading(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return minus(size >= 1e5 || size < 1e-3 ? value.toExponential(2) : value.toPrecision(5));
}
