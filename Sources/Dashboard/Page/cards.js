// Key figures as cards: the month, beside earlier ones, of the chosen region and trip type. The same figures as KeyFigure
// in Swift.
const controlCharts = new Map((summary.controlCharts ?? []).map((one) => [key(one.measure, one.region, one.tripType), one]));

function controlChart(name, choice) {
  return controlCharts.get(key(name, choice.region, choice.type));
}

const targets = new Map((summary.targets ?? []).map((one) => [key(one.measure, one.region, one.tripType), one]));

// The target of a measure in smallest units; null without one.
function targetOf(name, choice) {
  const one = targets.get(key(name, choice.region, choice.type));
  return one ? Math.round(one.target * catalog.kpis[name].unitsPerOne) : null;
}

// `at least 55.0%, met in 9 of 12 months`
function targetText(name, choice) {
  const kpi = catalog.kpis[name], one = targets.get(key(name, choice.region, choice.type));
  if (!one) return null;
  const met = one.monthCount === 0 ? "" : `, met in ${one.monthsMet} of ${one.monthCount} ${one.monthCount === 1 ? "month" : "months"}`;
  const text = kpi.format === "tenthsOfPercent" ? shown(Math.round(one.target * 10000), "share") : spacious(targetOf(name, choice), { ...kpi, isRounded: false });
  return `${kpi.better === "higher" ? "at least" : "at most"} ${text}${met}`;
}

// The chosen month, or the latest complete one.
function keyMonth(choice) {
  return choice.month !== ALL ? choice.month : latest;
}

// How a month compares with the others of its control chart; null for a month that is not in one.
function verdict(name, month, choice) {
  const chart = controlChart(name, choice);
  const months = chart ? chart.monthCount + chart.monthsLeftOut.length : 0;
  if (!chart || month === null || month > chart.lastMonth || monthCount(month) <= monthCount(chart.lastMonth) - months ||
    chart.monthsLeftOut.includes(month)) return null;
  const signal = chart.signals.find((one) => one.month === month);
  if (!signal) return { words: catalog.words.usual, mark: "", arrow: "" };
  const isHigh = signal.direction === "high";
  const word = signal.isBetter === null ? (isHigh ? "higher" : "lower") : signal.isBetter ? "better" : "worse";
  return { words: `${word} than usual`, mark: signal.isBetter === null ? "" : `is-${word}`, arrow: isHigh ? "▲" : "▼" };
}

// The months that can be compared with the last of them, together; null for too few. The same as `pooled` in Swift: a count
// a month, a share or a mean over all trips, no percentile.
function pooled(name, figures) {
  const kpi = catalog.kpis[name], last = figures[figures.length - 1];
  const months = figures.filter((one) => isComparable(one, last)).map((one) => one.cell);
  if (months.length < catalog.fewestPooledMonths || kpi.pooling === "none") return null;
  const sum = (figureOf) => months.reduce((total, cell) => total + figureOf(cell), 0);
  if (kpi.pooling === "month") return { value: halfUp(sum((cell) => raw(cell, name)), months.length), months: months.length };
  const parts = kpi.pooling === "mean" ? [kpi.pooledCount] : [kpi.part, ...kpi.whole];
  if (months.some((cell) => parts.some((part) => raw(cell, part) === null))) return null;
  const value = kpi.pooling === "mean"
    ? halfUp(sum((cell) => raw(cell, name) * raw(cell, kpi.pooledCount)), sum((cell) => raw(cell, kpi.pooledCount)))
    : halfUp(kpi.pooledScale * sum((cell) => raw(cell, kpi.part)), sum((cell) => kpi.whole.reduce((total, part) => total + raw(cell, part), 0)));
  return { value, months: months.length };
}

// A figure on a card: its mark for the eye, and in words for the ear.
function cardParts(one, kpi, none) {
  if (one.state !== "shown") return [one.state === "none" ? none : "hidden"];
  if (!sign(one)) return [spacious(one.value, kpi)];
  return [spacious(one.value, kpi), element("span", { class: "mark", "aria-hidden": "true" }, sign(one)),
    element("span", { class: "visually-hidden" }, ` ${signWords(one)}`)];
}

function cardFacts(name, choice) {
  const kpi = catalog.kpis[name], month = keyMonth(choice), facts = [];
  const at = (distance) => figure(name, monthName(monthCount(month) + distance), choice.region, choice.type);
  if (month !== null) {
    facts.push(["Month before", cardParts(at(-1), kpi, "–")], ["Year before", cardParts(at(-12), kpi, "–")]);
    const all = remarkOn(month) !== null ? null : pooled(name, Array.from({ length: 12 }, (_, step) => at(step - 11)));
    facts.push([all && all.months < 12 ? `${all.months} months` : "12 months", [all ? spacious(all.value, kpi) : "–"]]);
  }
  facts.push(["All months", cardParts(figure(name, ALL, choice.region, choice.type), kpi, "–")]);
  const target = targetText(name, choice);
  if (target !== null) facts.push(["Target", [target]]);
  return element("dl", { class: "card-facts" }, ...facts.flatMap(([title, parts]) => [
    element("dt", {}, title), element("dd", {}, ...parts)]));
}

// The months that are over as a line, with the least and the largest value written.
function sparkline(name, choice) {
  const kpi = catalog.kpis[name], months = calendar.filter((month) => remarkOn(month) === null);
  const figures = months.map((month) => figure(name, month, choice.region, choice.type));
  const path = sparkPath(figures, rangeOf(figures));
  if (path === "") return [];
  const known = figures.map((one, at) => ({ ...one, month: months[at] })).filter((one) => one.value !== null);
  const least = known.reduce((best, one) => (one.value < best.value ? one : best));
  const most = known.reduce((best, one) => (one.value > best.value ? one : best));
  return [spark(path), element("p", { class: "card-range" },
    `Least ${spacious(least.value, kpi)} in ${least.month}, most ${spacious(most.value, kpi)} in ${most.month}`)];
}

function rangeOf(figures) {
  const known = figures.map((one) => one.value).filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), most: Math.max(...known) };
}

// Months that cannot be compared are not joined; a month alone is a short stroke.
function sparkPath(figures, range) {
  if (range === null || figures.length < 2) return "";
  const height = Math.max(1, range.most - range.least), step = 120 / (figures.length - 1);
  return figures.map((one, place) => {
    if (one.value === null) return "";
    const joins = (other) => other !== undefined && isComparable(one, other);
    const x = (place * step).toFixed(1), y = (22 - (20 * (one.value - range.least)) / height).toFixed(1);
    if (joins(figures[place - 1])) return `L${x} ${y}`;
    return joins(figures[place + 1]) ? `M${x} ${y}` : `M${x} ${y} h1.5`;
  }).filter(Boolean).join(" ");
}

function spark(path) {
  return element("svg", { class: "spark", viewBox: "0 0 122 24", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    element("path", { d: path }));
}

function card(name, choice) {
  const kpi = catalog.kpis[name], month = keyMonth(choice);
  const one = month === null ? { ...ofAll, state: "none", value: null } : figure(name, month, choice.region, choice.type);
  const way = verdict(name, month, choice);
  const words = month === null ? "No month is shown" : isUnderWay(month) ? "Under way: not compared" : partial.has(month) ? "Lacks days: not compared"
    : way?.words ?? (one.isIncomplete ? "At least: not compared" : one.state === "hidden" ? "Not shown for this month" : "Too few months to compare");
  const [value, ...marks] = cardParts(one, kpi, "none");
  return element("li", { class: "card" },
    element("h3", { class: "card-title" }, kpi.title),
    element("p", { class: "card-value" }, value[0].toUpperCase() + value.slice(1), ...marks),
    element("p", { class: `card-verdict ${way?.mark ?? ""}`.trim() },
      ...(way?.arrow ? [element("span", { class: "arrow", "aria-hidden": "true" }, way.arrow), " "] : []), element("span", {}, words)),
    earlierMonths(name, choice));
}

// What the figure is compared with. On a narrow window it opens on demand, so that all cards are on one screen.
const narrow = matchMedia("(max-width: 40rem)");
function earlierMonths(name, choice) {
  const more = element("details", { class: "card-more" },
    element("summary", {}, "Earlier", element("span", { class: "visually-hidden" }, ` months of ${catalog.kpis[name].title}`)),
    cardFacts(name, choice), ...sparkline(name, choice));
  more.open = !narrow.matches;
  return more;
}

function openEarlierMonths(isOpen) {
  for (const more of document.querySelectorAll(".card-more")) more.open = isOpen;
}
narrow.addEventListener("change", () => openEarlierMonths(!narrow.matches));
addEventListener("beforeprint", () => openEarlierMonths(true));

function renderCards(choice) {
  byId("cards").replaceChildren(...catalog.keyFigures.map((name) => card(name, choice)));
}
