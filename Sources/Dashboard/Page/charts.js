// The charts for a choice: the same geometry as MonthChart and GroupChart in Swift, in tenths of a unit.
const LEFT = 460, RIGHT = 3140, TOP = 260, BOTTOM = 1660;
const MOST_DOTS = 36, LONGEST = 2300, PITCH = 340;

function ratio(a, b, c) {
  return Math.floor((2 * a * b + c) / (2 * c));
}

function tenths(value) {
  return value % 10 === 0 ? String(value / 10) : `${Math.floor(value / 10)}.${value % 10}`;
}

function axisStep(largest, base) {
  for (let power = base; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (power * factor * 4 >= largest) return power * factor;
  }
}

function chartFigure(value, format) {
  return format === "tenthsOfSeconds" ? wholeSeconds(value) : value;
}

function axisBase(format) {
  if (format === "dollars") return 100;
  return format === "seconds" || format === "tenthsOfSeconds" ? 60 : 1;
}

function tick(value, format) {
  switch (format) {
    case "dollars": return (value < 0 ? "-$" : "$") + grouped(Math.abs(value) / 100);
    case "seconds":
    case "tenthsOfSeconds": return grouped(value / 60) + " min";
    case "percent": return `${value}%`;
    default: return grouped(value);
  }
}

// It begins at 0, or below it where a refund leaves less than nothing.
function axisOf(values, fixedTop, base) {
  const largest = fixedTop ?? Math.max(0, ...values), smallest = Math.min(0, ...values);
  const step = axisStep(largest - smallest, base);
  const top = Math.max(1, Math.floor((largest + step - 1) / step)) * step;
  const low = 0 - Math.floor((step - 1 - smallest) / step) * step;
  return { low, top, step };
}

function yOf(value, axis) {
  return BOTTOM - ratio(BOTTOM - TOP, value - axis.low, axis.top - axis.low);
}

function box(mark, x, y, width, height) {
  return element("rect", { class: mark, x: tenths(x), y: tenths(y), width: tenths(width), height: tenths(height) });
}

function label(mark, x, y, text) {
  return element("text", { class: mark, x, y }, text);
}

function monthChart(plan, choice) {
  const series = plan.measures.map((name) => {
    const kpi = catalog.kpis[name];
    const figures = calendar.map((month) => figure(name, month, choice.region, choice.type));
    return { kpi, figures, values: figures.map((one) => one.state === "shown" ? chartFigure(one.value, kpi.format) : null) };
  });
  const sentences = series.map((one) => monthsSentence(one.kpi, one.figures));
  const drawing = { ticks: [], boxes: [], lines: [], dots: [], labels: [] };
  drawMonths(plan, series, choice, drawing);
  const rows = calendar.map((month, at) => [month, series.map((one) => [one.figures[at], one.kpi.format])]);
  return chart(plan, sentences.join(" "), "190", drawing, "Month", series.map((one) => one.kpi.title), rows);
}

function drawMonths(plan, series, choice, drawing) {
  const count = calendar.length, format = series[0].kpi.format;
  const edge = (month) => LEFT + Math.floor((month * (RIGHT - LEFT)) / count);
  const middle = (month) => Math.floor((edge(month) + edge(month + 1)) / 2);
  const values = series.flatMap((one) => one.values).filter((value) => value !== null);
  const axis = axisOf(values, plan.top, axisBase(format));
  for (let value = axis.low; value <= axis.top; value += axis.step) {
    const y = yOf(value, axis), mark = value === 0 && axis.low < 0 ? "grid zero" : "grid";
    drawing.ticks.push(
      element("path", { class: mark, d: `M46 ${tenths(y)} L314 ${tenths(y)}` }),
      label("tick", "42", tenths(y + 40), tick(value, format)));
  }
  for (let month = 0; month < count; month++) {
    const gap = Math.floor((edge(month + 1) - edge(month)) / 5);
    const x = edge(month) + gap, width = edge(month + 1) - edge(month) - 2 * gap;
    const figures = series.map((one) => one.figures[month]);
    const isChosen = calendar[month] === choice.month;
    if (isChosen) drawing.ticks.push(element("path", { class: "guide", d: `M${tenths(middle(month))} 26 L${tenths(middle(month))} 166` }));
    if (figures.every((one) => one.value === null) && figures.some((one) => one.state === "hidden")) {
      drawing.boxes.push(box("hidden-bar", x, BOTTOM - 80, width, 80));
    } else if (plan.isBars && series[0].values[month] !== null) {
      const y = yOf(series[0].values[month], axis);
      const mark = figures[0].isIncomplete ? "bar is-part" : "bar";
      drawing.boxes.push(box(isChosen ? `${mark} is-chosen` : mark, x, y, width, BOTTOM - y));
    }
  }
  if (!plan.isBars) series.forEach((one, number) => drawLine(one, number, series.length, axis, middle, drawing));
  const every = Math.floor((count + 3) / 4);
  for (let month = 0; month < count; month += every) {
    drawing.labels.push(label("month", tenths(middle(month)), "182", calendar[month]));
  }
}

function drawLine(series, number, count, axis, middle, drawing) {
  const { values, figures, kpi } = series;
  const path = [];
  values.forEach((value, month) => {
    if (value === null) return;
    const x = middle(month), y = yOf(value, axis);
    const follows = month > 0 && isComparable(figures[month], figures[month - 1]);
    const goesOn = month + 1 < values.length && isComparable(figures[month], figures[month + 1]);
    path.push(`${follows ? "L" : "M"}${tenths(x)} ${tenths(y)}`);
    if (values.length > MOST_DOTS && (follows || goesOn)) return;
    if (number === 0) drawing.dots.push(element("circle", { class: "dot", cx: tenths(x), cy: tenths(y), r: "2.5" }));
    else drawing.boxes.push(box("square", x - 25, y - 25, 50, 50));
  });
  const mark = number === 0 ? "line" : "line second";
  drawing.lines.push(element("path", { class: mark, d: path.join(" ") }));
  if (count < 2) return;
  const x = number === 0 ? 460 : 1900;
  drawing.lines.push(element("path", { class: mark, d: `M${tenths(x)} 11 L${tenths(x + 200)} 11` }));
  drawing.labels.push(label("key", tenths(x + 260), "15", kpi.title));
}

function groupChart(plan, names, nameOfRows, choice, chosen, at) {
  const groups = names.filter((name) => name !== ALL), kpi = catalog.kpis[plan.measure];
  const figures = groups.map((name) => figure(plan.measure, ...at(name)));
  const drawing = { ticks: [], boxes: [], lines: [], dots: [], labels: [] };
  const largest = Math.max(1, ...figures.map((one) => one.value ?? 0));
  groups.forEach((name, place) => {
    const y = PITCH * place, one = figures[place];
    drawing.labels.push(label("group", "1", tenths(y + 120), name));
    const width = one.state === "shown" ? ratio(LONGEST, one.value, largest) : one.state === "hidden" ? 160 : 0;
    const mark = one.state === "hidden" ? "hidden-bar" : `bar${one.isIncomplete ? " is-part" : ""}${name === chosen ? " is-chosen" : ""}`;
    if (width > 0) drawing.boxes.push(box(mark, 10, y + 170, width, 140));
    drawing.labels.push(label("group", tenths(width + 70), tenths(y + 280), figureText(one, kpi.format) + sign(one)));
  });
  const rows = groups.map((name, place) => [name, [[figures[place], kpi.format]]]);
  const height = tenths(PITCH * groups.length + 40);
  return chart(plan, groupsSentence(groups, figures, kpi.format), height, drawing, nameOfRows, [kpi.title], rows);
}

function chart(plan, sentence, height, drawing, nameOfRows, columns, rows) {
  const svg = element(
    "svg",
    { class: "drawing", viewBox: `0 0 320 ${height}`, role: "img", "aria-labelledby": `title-${plan.id} desc-${plan.id}` },
    element("title", { id: `title-${plan.id}` }, plan.title), element("desc", { id: `desc-${plan.id}` }, sentence),
    ...drawing.ticks, ...drawing.boxes, ...drawing.lines, ...drawing.dots, ...drawing.labels);
  const head = element("tr", {}, element("th", { scope: "col" }, nameOfRows),
    ...columns.map((title) => element("th", { scope: "col", class: "num" }, title)));
  const body = rows.map(([name, figures]) => element("tr", {}, element("th", { scope: "row" }, name),
    ...figures.map(([one, format]) => element("td", { class: figureMark(one) }, ...figureParts(one, format)))));
  return element("figure", { class: "chart", id: `chart-${plan.id}` },
    element("h3", { class: "chart-title" }, plan.title), svg,
    element("figcaption", { class: "chart-summary" }, sentence),
    element("details", { class: "chart-data" }, element("summary", {}, "Data of this chart"),
      element("table", { class: "small" }, element("caption", { class: "visually-hidden" }, plan.title),
        element("thead", {}, head), element("tbody", {}, ...body))));
}

function monthsSentence(kpi, figures) {
  const known = calendar.map((month, at) => ({ month, ...figures[at] })).filter((one) => one.value !== null);
  const hidden = figures.filter((one) => one.state === "hidden").length;
  const rest = hidden === 0 ? "" : `; hidden in ${hidden} ${hidden === 1 ? "month" : "months"}`;
  if (known.length === 0) return `${kpi.title}: no month is shown${rest}.`;
  const said = (one) => `${shown(one.value, kpi.format)} in ${one.month}`;
  const last = known[known.length - 1], words = signWords(last);
  let sentence = `${kpi.title}: ${said(last)}${words === "" ? "" : ` (${words})`}`;
  if (!known.every((one) => isComparable(one, last))) {
    if (known.length > 1) sentence += "; the months are not comparable";
  } else if (known.length > 1) {
    const highest = known.reduce((best, one) => (one.value > best.value ? one : best));
    const lowest = known.reduce((best, one) => (one.value < best.value ? one : best));
    sentence += `; highest ${said(highest)}, lowest ${said(lowest)}`;
  }
  return sentence + rest + ".";
}

function groupsSentence(names, figures, format) {
  const known = names.filter((_, at) => figures[at].state === "shown")
    .map((name) => {
      const one = figures[names.indexOf(name)], words = signWords(one);
      return `${name} ${shown(one.value, format)}${words === "" ? "" : ` (${words})`}`;
    });
  const hidden = names.filter((_, at) => figures[at].state === "hidden");
  const parts = [known.join(", "), hidden.length ? "hidden: " + hidden.join(", ") : ""].filter(Boolean);
  return parts.length ? parts.join("; ") + "." : "There is nothing to show.";
}
