// Charts of a measure by month, drawn as wide as there is room, with texts in rem: they follow the reader's text size.

function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function chartFigure(value, format) {
  return format === "tenthsOfSeconds" ? wholeSeconds(value) : value;
}

// The unit of an axis in chart figures: a dollar, a minute, a trip, a tenth of a per cent.
function axisBase(format) {
  if (format === "dollars") return 100;
  return format === "seconds" || format === "tenthsOfSeconds" ? 60 : 1;
}

function axisStep(range, base) {
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (power * factor * base * 4 >= range) return power * factor * base;
  }
}

// Bars begin at 0, or below it where a refund leaves less than nothing. A line's axis is ranged to its figures.
function axisOf(values, isBars, base) {
  const least = Math.min(...values, ...(isBars ? [0] : [])), most = Math.max(...values, ...(isBars ? [0] : []));
  const step = axisStep(Math.max(most - least, base), base);
  const low = Math.floor(least / step) * step, top = Math.max(Math.ceil(most / step) * step, low + step);
  return { low, top, step };
}

function tick(value, format) {
  switch (format) {
    case "dollars": return (value < 0 ? "-$" : "$") + grouped(Math.abs(value) / 100);
    case "seconds":
    case "tenthsOfSeconds": return grouped(value / 60) + " min";
    case "tenthsOfPercent": return value % 10 === 0 ? `${value / 10}%` : shown(value, format);
    default: return grouped(value);
  }
}

const events = new Map((summary.events?.counts ?? []).map((one) => [key(one.month, one.region, one.kind), one]));

// The kinds of events of a month in the chosen region, most first.
const kindsOf = (month, region) => [...events.values()]
  .filter((one) => one.month === month && one.region === region && one.kind !== ALL).sort((one, other) => other.events - one.events);

// The events of a month in the chosen region: `75 events (Flood 40, Fire 21, others 14), 15 evacuations`; empty where none are shown.
function eventText(month, choice) {
  const one = events.get(key(month, choice.region, ALL));
  if (!one) return "";
  const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
  const kinds = kindsOf(month, choice.region), named = kinds.slice(0, 2).map((kind) => `${kind.kind} ${grouped(kind.events)}`);
  const others = kinds.slice(2).reduce((sum, kind) => sum + kind.events, 0);
  if (others > 0) named.push(`others ${grouped(others)}`);
  return counted(one.events, "event") + (named.length ? ` (${named.join(", ")})` : "") + (one.evacuations === null ? "" : `, ${counted(one.evacuations, "evacuation")}`);
}

function chartTitle(name) {
  return `${catalog.kpis[name].title} by month`;
}

function pointText(name, month, one, choice) {
  const kpi = catalog.kpis[name], happened = eventText(month, choice), rest = happened === "" ? "" : `; ${happened}`;
  if (one.state !== "shown") return `${month}: ${one.state}${rest}`;
  const notes = [signWords(one), remarkOn(month), verdict(name, month, choice)?.words].filter(Boolean);
  return `${month}: ${spacious(one.value, kpi)}${notes.length ? ` (${notes.join(", ")})` : ""}${rest}`;
}

function monthChart(name, choice, width) {
  const kpi = catalog.kpis[name], title = chartTitle(name);
  const figures = calendar.map((month) => figure(name, month, choice.region, choice.type));
  const svg = drawMonths(name, kpi, figures, choice, width);
  const readout = element("p", { class: "readout", "aria-hidden": "true" });
  const plot = element("div", { class: "plot", tabindex: "0", role: "slider", "aria-label": `${title}: choose a month`,
    "aria-valuemin": "0", "aria-valuemax": String(calendar.length - 1) }, svg.drawing);
  const show = (place) => {
    const text = pointText(name, calendar[place], figures[place], choice);
    plot.setAttribute("aria-valuenow", String(place));
    plot.setAttribute("aria-valuetext", text);
    readout.textContent = text;
    svg.pointAt(place);
  };
  const first = calendar.indexOf(keyMonth(choice));
  show(first < 0 ? calendar.length - 1 : first);
  plot.addEventListener("keydown", (event) => {
    const now = Number(plot.getAttribute("aria-valuenow")), last = calendar.length - 1;
    const steps = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: last };
    if (!(event.key in steps)) return;
    event.preventDefault();
    show(Math.min(last, Math.max(0, steps[event.key])));
  });
  for (const kind of ["pointerdown", "pointermove"]) {
    plot.addEventListener(kind, (event) => show(svg.monthAt(event.clientX - svg.drawing.getBoundingClientRect().left)));
  }
  return element("figure", { class: "chart", id: `chart-${name.replace(".", "-")}` },
    element("h3", { class: "chart-title" }, title), readout, plot,
    element("figcaption", { class: "chart-summary" }, monthsSentence(kpi, figures, choice, name)));
}

function drawMonths(name, kpi, figures, choice, width) {
  const size = rem(), isBars = name === "trips", chart = controlChart(name, choice);
  // Marks of events are above the plot, and the label above the marks.
  const rows = events.size > 0 ? 1 : 0;
  const height = (12 + rows) * size, top = (1.6 + rows) * size, bottom = height - 1.75 * size;
  const values = figures.map((one) => (one.value === null ? null : chartFigure(one.value, kpi.format)));
  const known = values.filter((value) => value !== null);
  const unit = (line) => chartFigure(line * kpi.unitsPerOne, kpi.format);
  const limits = chart ? { mean: unit(chart.mean), low: unit(chart.lowerLimit), high: unit(chart.upperLimit) } : null;
  const target = targetOf(name, choice) === null ? null : chartFigure(targetOf(name, choice), kpi.format);
  const axis = axisOf(known.length ? [...known, ...(limits ? [limits.low, limits.high] : []), ...(target === null ? [] : [target])] : [0], isBars, axisBase(kpi.format));
  if (isBars && known.every((value) => value >= 0) && axis.low < 0) axis.low = 0;
  const ticks = [];
  for (let value = axis.low; value <= axis.top; value += axis.step) ticks.push(value);
  const left = (Math.max(...ticks.map((value) => tick(value, kpi.format).length)) * 0.46 + 0.5) * size;
  const right = width - 0.25 * size, column = (right - left) / calendar.length;
  const x = (place) => left + (place + 0.5) * column;
  const y = (value) => bottom - ((value - axis.low) / (axis.top - axis.low)) * (bottom - top);
  const at = (value) => value.toFixed(1);
  const parts = [];
  for (const value of ticks) {
    parts.push(element("path", { class: value === 0 && axis.low < 0 ? "grid zero" : "grid", d: `M${at(left)} ${at(y(value))} L${at(right)} ${at(y(value))}` }),
      element("text", { class: "tick", x: at(left - 0.3 * size), y: at(y(value) + 0.25 * size) }, tick(value, kpi.format)));
  }
  if (limits) parts.push(...drawLimits(chart, limits, axis, { x, y, at, column }));
  if (target !== null && known.length) parts.push(element("path", { class: "target", d: `M${at(left)} ${at(y(target))} L${at(right)} ${at(y(target))}` }));
  parts.push(...drawEventLabel(choice, { x, at, top, right, size }));
  const joined = [], beforeLine = parts.length;
  figures.forEach((one, place) => {
    const month = calendar[place], signal = chart?.signals.find((found) => found.month === month);
    const state = [isUnderWay(month) ? "is-open" : one.isIncomplete || one.isPartial ? "is-part" : "", month === choice.month ? "is-chosen" : "",
      signal && signal.isBetter !== null ? (signal.isBetter ? "is-better" : "is-worse") : signal ? "is-signal" : ""].filter(Boolean).join(" ");
    if (eventText(month, choice) !== "") {
      const tip = top - 0.2 * size, half = 0.3 * size;
      parts.push(element("path", { class: "event", d: `M${at(x(place))} ${at(tip)} l${at(-half)} ${at(-2 * half)} h${at(2 * half)} z` }));
    }
    if (one.state === "hidden") {
      parts.push(element("rect", { class: "hidden-bar", x: at(x(place) - column * 0.3), y: at(bottom - 0.5 * size), width: at(column * 0.6), height: at(0.5 * size) }));
    } else if (values[place] !== null && isBars) {
      const zero = y(Math.max(0, axis.low));
      parts.push(element("rect", { class: `bar ${state}`.trim(), x: at(x(place) - column * 0.36), y: at(Math.min(zero, y(values[place]))),
        width: at(column * 0.72), height: at(Math.max(1, Math.abs(zero - y(values[place])))) }));
    } else if (values[place] !== null) {
      const follows = place > 0 && !isUnderWay(month) && isComparable(one, figures[place - 1]);
      joined.push(`${follows ? "L" : "M"}${at(x(place))} ${at(y(values[place]))}`);
      const radius = signal ? 0.3 : isUnderWay(month) ? 0.25 : 0.15;
      parts.push(element("circle", { class: `dot ${state}`.trim(), cx: at(x(place)), cy: at(y(values[place])), r: at(radius * size) }));
    }
  });
  if (joined.length) parts.splice(beforeLine, 0, element("path", { class: "line", d: joined.join(" ") }));
  parts.push(...drawLabels(kpi, figures, values, { x, y, at, left, right, size }), ...drawMonthNames({ x, at, left, right, size, height, column }));
  const guide = element("path", { class: "guide" });
  const drawing = element("svg", { class: "drawing", width: at(width), height: at(height), viewBox: `0 0 ${at(width)} ${at(height)}`, "aria-hidden": "true", focusable: "false" },
    guide, ...parts);
  return {
    drawing,
    pointAt: (place) => guide.setAttribute("d", `M${at(x(place))} ${at(top)} L${at(x(place))} ${at(bottom)}`),
    monthAt: (offset) => Math.min(calendar.length - 1, Math.max(0, Math.floor((offset - left) / column))),
  };
}

// The process limits as a band, with the mean.
function drawLimits(chart, limits, axis, { x, y, at, column }) {
  // The chart is of all months; the page may show a part of them.
  const end = monthCount(chart.lastMonth) - monthCount(calendar[0]), start = end - chart.monthCount - chart.monthsLeftOut.length + 1;
  const last = Math.min(calendar.length - 1, end), first = Math.max(0, start);
  if (first > last) return [];
  const from = x(first) - column / 2, to = x(last) + column / 2;
  const high = y(Math.min(axis.top, limits.high)), low = y(Math.max(axis.low, limits.low));
  return [element("rect", { class: "limits", x: at(from), y: at(high), width: at(to - from), height: at(Math.max(1, low - high)) }),
    element("path", { class: "mean", d: `M${at(from)} ${at(y(limits.mean))} L${at(to)} ${at(y(limits.mean))}` })];
}

// Of the month with the most events the mark has a label: its largest kind.
function drawEventLabel(choice, { x, at, top, right, size }) {
  const months = calendar.map((month) => events.get(key(month, choice.region, ALL))).filter(Boolean);
  if (months.length === 0) return [];
  const most = months.reduce((best, one) => (one.events > best.events ? one : best)), kind = kindsOf(most.month, choice.region)[0];
  const text = kind ? `${kind.kind} ${grouped(kind.events)}` : grouped(most.events);
  const place = calendar.indexOf(most.month), isLeft = x(place) + (text.length * 0.46) * size > right;
  return [element("text", { class: `event-label${isLeft ? " is-left" : ""}`, x: at(x(place) + (isLeft ? 0.3 : -0.3) * size), y: at(top - 1.05 * size) }, text)];
}

// The last complete month, the largest and the least are labelled, as far as there is room.
function drawLabels(kpi, figures, values, { x, y, at, left, right, size }) {
  const known = values.map((value, place) => ({ value, place })).filter((one) => one.value !== null && remarkOn(calendar[one.place]) === null);
  if (known.length === 0) return [];
  const last = known[known.length - 1];
  const most = known.reduce((best, one) => (one.value > best.value ? one : best));
  const least = known.reduce((best, one) => (one.value < best.value ? one : best));
  const taken = [];
  return [last, most, least].flatMap(({ value, place }) => {
    const text = roundedSign(kpi) + shown(figures[place].value, kpi.format), wide = text.length * 0.46 * size;
    const from = Math.min(right - wide, Math.max(left, x(place) - wide / 2));
    const up = value !== least.value || most.value === least.value;
    const base = y(value) + (up ? -0.5 : 1.25) * size;
    const meets = taken.some((other) => from < other.to && other.from < from + wide && Math.abs(other.base - base) < size);
    if (meets) return [];
    taken.push({ from, to: from + wide, base });
    return [element("text", { class: "value", x: at(from), y: at(base) }, text)];
  });
}

function drawMonthNames({ x, at, left, right, size, height, column }) {
  const wide = 7 * 0.46 * size, every = Math.max(1, Math.ceil((wide + size) / column)), labels = [];
  let end = -Infinity;
  for (let place = 0; place < calendar.length; place += every) {
    const from = Math.max(left, x(place) - wide / 2);
    if (from < end || from + wide > right) continue;
    end = from + wide + size / 2;
    labels.push(element("text", { class: "month", x: at(from), y: at(height - 0.4 * size) }, calendar[place]));
  }
  return labels;
}

function monthsSentence(kpi, figures, choice, name) {
  const known = calendar.map((month, at) => ({ month, ...figures[at] })).filter((one) => one.value !== null);
  const hidden = figures.filter((one) => one.state === "hidden").length;
  const rest = hidden === 0 ? "" : `; hidden in ${hidden} ${hidden === 1 ? "month" : "months"}`;
  if (known.length === 0) return `${kpi.title}: no month is shown${rest}.`;
  const said = (one) => `${spacious(one.value, kpi)} in ${one.month}`;
  const over = known.filter((one) => remarkOn(one.month) === null), last = over[over.length - 1] ?? known[known.length - 1];
  const words = [signWords(last), verdict(name, last.month, choice)?.words].filter(Boolean).join(", ");
  let sentence = `${kpi.title}: ${said(last)}${words === "" ? "" : ` (${words})`}`;
  if (!over.every((one) => isComparable(one, last))) {
    if (over.length > 1) sentence += "; some months are not comparable";
  } else if (over.length > 1) {
    const highest = over.reduce((best, one) => (one.value > best.value ? one : best));
    const lowest = over.reduce((best, one) => (one.value < best.value ? one : best));
    sentence += `; highest ${said(highest)}, lowest ${said(lowest)}`;
  }
  const target = targetText(name, choice);
  return `${sentence}${rest}.${target === null ? "" : ` Target: ${target}.`}`;
}
