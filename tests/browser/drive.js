// Uses a page as a reader does and says in its console what it found. ASKED is written above this by the test.
(async () => {
  const report = {};
  const byId = (id) => document.getElementById(id);
  const canvas = byId("scene");
  // Two pictures of the screen, so that what was asked for in the first is painted in the second.
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  // By way of a copy, which may be read as often as one likes.
  const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const picture = () => {
    copy.canvas.width = canvas.width;
    copy.canvas.height = canvas.height;
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data;
  };

  const slide = async (time) => {
    byId("slider").value = time;
    byId("slider").dispatchEvent(new Event("input", { bubbles: true }));
    await painted();
  };
  const touched = (image) => {
    const colors = new Set();
    let pixels = 0;
    for (let k = 0; k < image.length; k += 4) {
      if (image[k + 3] === 0) continue;
      pixels += 1;
      colors.add((image[k] << 16) | (image[k + 1] << 8) | image[k + 2]);
    }
    return { pixels, colors: colors.size };
  };
  const differing = (a, b) => {
    let pixels = 0;
    for (let k = 0; k < a.length; k += 4) if (a[k] !== b[k] || a[k + 3] !== b[k + 3]) pixels += 1;
    return pixels;
  };

  try {
    report.playsAtFirst = bellcrank.state.playing;
    if (bellcrank.state.playing) byId("play").click();
    report.label = byId("play").getAttribute("aria-label");

    await slide(0);
    const start = picture();
    report.start = touched(start);
    report.places = [];
    for (const time of ASKED.times) {
      await slide(time);
      report.places.push(bellcrank.point(ASKED.point));
    }
    report.moved = differing(start, picture());
    report.clock = byId("clock").value;

    await slide(0);
    const begin = performance.now();
    byId("play").click();
    await wait(300);
    await painted();
    byId("play").click();
    report.passed = (performance.now() - begin) / 1000;
    report.played = bellcrank.state.time / bellcrank.state.speed;

    const plot = document.querySelector("#plots canvas");
    const box = plot.getBoundingClientRect();
    const half = { clientX: box.left + 52 + (box.width - 60) / 2, clientY: box.top + 20, bubbles: true, pointerId: 1 };
    plot.dispatchEvent(new PointerEvent("pointerdown", half));
    plot.dispatchEvent(new PointerEvent("pointerup", half));
    await painted();
    report.clicked = bellcrank.state.time;
    report.reading = document.querySelector("#plots .key output").value;

    document.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
    await painted();
    report.end = bellcrank.state.time;

    const before = picture();
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -400, clientX: 200, clientY: 200, cancelable: true }));
    await painted();
    report.zoomed = differing(before, picture());
    byId("fit").click();
    await painted();
    report.fitted = differing(before, picture());

    const traces = [...document.querySelectorAll("#traces input")];
    report.points = traces.map((box) => box.dataset.point);
    report.traced = traces.filter((box) => box.checked).map((box) => box.dataset.point);
    report.unlabelled = [...document.querySelectorAll("button, select, input, canvas")]
      .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label")))
      .map((one) => one.outerHTML);
    report.overflow = document.documentElement.scrollWidth - innerWidth;
    report.plots = [...document.querySelectorAll("figcaption b")].map((title) => title.textContent);
    report.requests = performance.getEntriesByType("resource").map((entry) => entry.name);
  } catch (error) {
    report.error = String(error.stack ?? error);
  }
  console.log(`report ${JSON.stringify(report).replace(/"/g, "'")} end`);
})();
