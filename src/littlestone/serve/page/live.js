// The live page: events of one model, read with fetch so that a token can go with them, drawn with uPlot.
"use strict";

const $ = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const few = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const per = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const share = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });
const MOST = 600;

let token = sessionStorage.getItem("token");
let points = [];
let charts = [];
let listening = null;

function say(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

function headers() {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

function ago(seconds) {
  if (seconds < 90) return `${whole.format(seconds)} s ago`;
  if (seconds < 5400) return `${whole.format(seconds / 60)} min ago`;
  return `${whole.format(seconds / 3600)} h ago`;
}

// Drawing.

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(values) {
  const grid = { stroke: colour("--faint"), width: 1 };
  return { stroke: colour("--grey"), grid, ticks: grid, font: "12px system-ui", size: 56, values };
}

function short(value) {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

function drawn(place, series, bands, format) {
  const options = {
    width: Math.max(260, $(place).clientWidth),
    height: 260,
    scales: { x: { time: false } },
    axes: [{ ...axis((_, ticks) => ticks.map(short)), size: 36 }, axis((_, ticks) => ticks.map(format))],
    series: [{ label: "Rounds", value: (_, v) => (v === null ? "–" : whole.format(v)) }, ...series],
    bands,
    cursor: { drag: { x: true, y: false } },
    legend: { live: true },
  };
  $(place).replaceChildren();
  return new uPlot(options, [[], ...series.map(() => [])], $(place));
}

function line(label, name, format, more) {
  const alone = { show: (chart) => chart.data[0].length === 1, size: 7, fill: colour(name) };  // a line needs two
  return { label, stroke: colour(name), width: 2, points: alone, value: (_, v) => (v === null ? "–" : format(v)), ...more };
}

function redraw() {
  for (const chart of charts) chart.destroy();
  const percent = (value) => share.format(value);
  const quiet = { width: 1, dash: [4, 3] };
  charts = [
    drawn("errors", [line("Error", "--c0", percent), line("At most", "--c1", percent, quiet), line("At least", "--c1", percent, quiet)],
      [{ series: [2, 3], fill: colour("--band") }], percent),
    drawn("losses", [line("Measured", "--c0", few.format), line("Bound", "--c1", few.format, quiet)], [], short),
  ];
  fill();
}

function fill() {
  const column = (key) => points.map((point) => point[key]);
  charts[0]?.setData([column("rounds"), column("error"), column("upper"), column("lower")]);
  charts[1]?.setData([column("rounds"), column("measured"), column("bound")]);
  const rows = points.slice(-20).reverse().map((point) => {
    const row = document.createElement("tr");
    const bound = point.bound === null ? "none" : few.format(point.bound);
    const cells = [whole.format(point.rounds), share.format(point.error), share.format(point.lower), share.format(point.upper),
      few.format(point.measured), bound];
    for (const text of cells) row.append(Object.assign(document.createElement("td"), { textContent: text }));
    return row;
  });
  if ($("numbers").open) $("points").replaceChildren(...rows);
}

function resize() {
  for (const [chart, place] of [[charts[0], "errors"], [charts[1], "losses"]]) {
    const width = Math.max(260, $(place).clientWidth);
    if (chart && chart.width !== width) chart.setSize({ width, height: 260 });
  }
}

// What is said.

function show(status) {
  $("main").hidden = false;
  say("state", status.stopped ? "stopped" : "learning");
  $("state").className = status.stopped ? "pill bad" : "pill good";
  $("state").title = status.stopped ?? "";
  say("rule", status.rule);
  say("rounds", whole.format(status.rounds));
  say("mistakes", `${whole.format(status.mistakes)} mistakes`);
  say("learns", per.format(status.learns_per_second));
  say("predictions", `${per.format(status.predictions_per_second)} predictions`);
  say("waiting", whole.format(status.waiting));
  say("expired", `${whole.format(status.expired)} expired`);
  say("age", ago(status.snapshot_age));
  say("snapshot", `after record ${whole.format(status.snapshot)}`);
  say("features", whole.format(status.features));
  say("version", `record ${whole.format(status.model_version)}`);
  showPoints(status.points ?? []);
  showAlarm(status.drift);
  showShadow(status.shadow);
  showCertificates(status.certificates);
}

function showPoints(fresh) {
  if (fresh.length && points.length && fresh[0].rounds <= points[points.length - 1].rounds) points = [];
  points.push(...fresh);
  if (points.length > MOST) points = points.filter((_, k) => k % 2 === 0 || k === points.length - 1);
  const last = points[points.length - 1];
  say("error", last ? share.format(last.error) : "–");
  say("band", last ? `${share.format(last.lower)} to ${share.format(last.upper)}` : "");
  if (last) $("errors").setAttribute("aria-label", `Progressive error ${share.format(last.error)} after ${whole.format(last.rounds)} rounds`);
  say("bound", last?.theorem ? `Measured: ${last.quantity}. Above it the bound of ${last.theorem}.`
    : "The sum of the losses. No theorem bounds it yet without something to compare with.");
  if (fresh.length) fill();
}

function showAlarm(drift) {
  $("alarm").hidden = !drift.last;
  if (!drift.last) return;
  const { since, rounds, before, after } = drift.last;
  say("alarm", `Drift: at round ${whole.format(rounds)} the error rate since round ${whole.format(since)} was ${share.format(after)}, `
    + `and at most ${share.format(before)} before. Alarms so far: ${drift.alarms}.`);
}

function showShadow(shadow) {
  $("shadow").hidden = !shadow;
  if (!shadow) return;
  say("rival", shadow.failed ? `It was let go: ${shadow.failed}` : shadow.rule);
  if (shadow.failed) return;
  say("together", whole.format(shadow.rounds));
  say("live-better", whole.format(shadow.live_better));
  say("shadow-better", whole.format(shadow.shadow_better));
  say("live-loss", `loss ${few.format(shadow.live_loss)}`);
  say("shadow-loss", `loss ${few.format(shadow.shadow_loss)}`);
  say("evidence", few.format(shadow.evidence));
  if (shadow.difference) say("between", `error of live minus shadow: ${shadow.difference.map((end) => share.format(end)).join(" to ")}`);
}

function card(certificate) {
  const made = Object.assign(document.createElement("article"), { className: `card ${certificate.verdict}` });
  const badge = Object.assign(document.createElement("span"), { className: `badge ${certificate.verdict}`, textContent: certificate.verdict });
  const name = Object.assign(document.createElement("h3"), { textContent: `${certificate.id} ` });
  name.append(badge);
  const sides = [certificate.quantity, certificate.measured === null ? "" : few.format(certificate.measured), "≤",
    certificate.bound === null ? "" : `${few.format(certificate.bound)} =`, certificate.formula];
  const relation = Object.assign(document.createElement("p"), { textContent: sides.filter(Boolean).join(" ") });
  made.append(name, relation, Object.assign(document.createElement("p"), { className: "source", textContent: certificate.source }));
  return made;
}

function showCertificates(certificates) {
  const text = certificates.map((c) => `${c.id} ${c.verdict} ${c.measured} ${c.bound}`).join();
  if ($("certificates").dataset.shown === text) return;
  $("certificates").dataset.shown = text;
  const telling = certificates.filter((c) => c.verdict === "holds" || c.verdict === "violated");
  const silent = certificates.filter((c) => !telling.includes(c));
  const none = Object.assign(document.createElement("p"), { className: "lead", textContent: "No theorem says anything of this run yet." });
  $("certificates").replaceChildren(...(telling.length ? telling.map(card) : [none]));
  $("unproved").replaceChildren(...silent.map(card));
  $("silent").hidden = !silent.length;
  say("more", `${silent.length} more, vacuous or unproved`);
}

// Listening.

async function listen(model) {
  listening?.abort();
  const mine = new AbortController();
  listening = mine;
  points = [];
  while (!mine.signal.aborted) {
    try {
      const response = await fetch(`/v2/models/${encodeURIComponent(model)}/events`, { headers: headers(), signal: mine.signal });
      if (response.status === 401) return ask();
      points = [];
      if (response.ok) await read(response.body.getReader());
    } catch {
      // The server is away; it is asked again.
    }
    if (mine.signal.aborted) return;
    say("state", "connecting");
    $("state").className = "pill";
    await new Promise((done) => setTimeout(done, 1000));
  }
}

async function read(reader) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const data = lines.filter((each) => each.startsWith("data: ")).map((each) => each.slice(6)).join("\n");
      if (lines.includes("event: status")) show(JSON.parse(data));
    }
  }
}

function ask() {
  $("door").hidden = false;
  $("main").hidden = true;
  say("state", "a token is needed");
  $("token").focus();
}

async function begin() {
  let response;
  try {
    response = await fetch("/v2", { headers: headers() });
  } catch {
    setTimeout(begin, 1000);
    return;
  }
  if (response.status === 401) return ask();
  $("door").hidden = true;
  $("main").hidden = false;
  const { models } = await response.json();
  $("model").replaceChildren(...models.map((name) => new Option(name, name)));
  $("choice").hidden = models.length < 2;
  redraw();
  listen(models[0]);
}

$("door").addEventListener("submit", (event) => {
  event.preventDefault();
  token = $("token").value;
  sessionStorage.setItem("token", token);
  begin();
});
$("model").addEventListener("change", () => listen($("model").value));
$("numbers").addEventListener("toggle", fill);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new ResizeObserver(resize).observe(document.body);
begin();
