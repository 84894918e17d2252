// Figures of cells, and how they are written: the same as KPIDescription and NumberText in Swift.
const ALL = "All";
const summary = JSON.parse(document.getElementById("kpi-summary").textContent);
const catalog = JSON.parse(document.getElementById("kpi-catalog").textContent);

const cells = new Map(summary.cells.map((cell) => [key(cell.month, cell.region, cell.tripType), cell]));
const withheld = new Set(summary.withheldMonths);
// The last month that is over and shown: later ones are under way, and are never compared.
const latest = summary.headline ? summary.headline.month : summary.months[summary.months.length - 1] ?? null;
// Months of which days at the beginning or the end have no trips: they are not compared.
const partial = new Set(summary.partialMonths ?? []);
const calendar = calendarMonths();
const isRelease = summary.audience !== "staff" && !summary.privacy.statement.startsWith("INTERNAL");

function key(month, region, tripType) {
  return JSON.stringify([month, region, tripType]);
}

function monthCount(month) {
  const [year, number] = month.split("-").map(Number);
  return year * 12 + number - 1;
}

function monthName(count) {
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, "0")}`;
}

function calendarMonths() {
  const names = [...summary.cells.map((cell) => cell.month).filter((month) => month !== ALL), ...withheld];
  if (names.length === 0) return [];
  const counts = names.map(monthCount);
  const first = Math.min(...counts), last = Math.max(...counts);
  return Array.from({ length: last - first + 1 }, (_, step) => monthName(first + step));
}

// The number of the document; null where it has none.
function documentNumber(cell, name) {
  return name.split(".").reduce((part, step) => part[step], cell) ?? null;
}

// The figure in the format's smallest unit; null where the document has none. A share of counts is computed from these:
// the document's is rounded already.
function raw(cell, name) {
  const number = documentNumber(cell, name), kpi = catalog.kpis[name];
  if (number === null) return null;
  const counts = kpi.format === "tenthsOfPercent" ? [kpi.part, ...kpi.whole].map((one) => cell[one]) : [null];
  const whole = counts.slice(1).reduce((sum, count) => sum + count, 0);
  return counts.includes(null) || whole === 0 ? Math.round(number * kpi.unitsPerOne) : halfUp(counts[0] * kpi.unitsPerOne, whole);
}

// Whether the figure is not of all trips of the cell.
function isIncomplete(cell, kpi) {
  return kpi.incompleteWith.some((one) => (cell.incompleteMeasures ?? []).includes(one));
}

function isNone(cell, name) {
  const kpi = catalog.kpis[name];
  if (cell.suppressed || kpi.none === "never" || isIncomplete(cell, kpi)) return false;
  const parts = kpi.noneOf.map((name) => raw(cell, name));
  return parts.every((part) => part !== null && (kpi.none === "whereShown" || part === 0));
}

// Whether there are trips and none has a value of the measure: it is not shown. The same as `isWithoutValue` in Swift.
function isWithoutValue(name) {
  const overall = summary.cells[0];
  return Boolean(overall) && overall.trips > 0 && catalog.kpis[name].valuesOf.some((one) => documentNumber(overall, one) === 0);
}
catalog.columns = catalog.columns.filter((name) => !isWithoutValue(name));
catalog.keyFigures = catalog.keyFigures.filter((name) => !isWithoutValue(name));

// Trips of which none has a cost: the total is unknown, and 0 in the document.
function isUnknownCost(cell, name) {
  return name === "totalCost" && cell.totalCost === 0 && cell.costedTrips === 0 && cell.trips > 0;
}

// Which trips a figure is of: the same as FigureCoverage in Swift.
const ofAll = { isIncomplete: false };

function coverage(cell, name) {
  return { isIncomplete: isIncomplete(cell, catalog.kpis[name]) };
}

// Figures of different trips are not compared.
function isComparable(one, other) {
  return one.value !== null && other.value !== null && !one.isPartial && !other.isPartial && !one.isIncomplete && !other.isIncomplete;
}

function sign(one) {
  return one.isIncomplete ? "+" : "";
}

function signWords(one) {
  return one.isIncomplete ? catalog.words.incomplete : "";
}

// { state: "shown", "hidden" or "none", value, the document's number, and which trips it is of }: a hidden value does not mean 0.
function figure(name, month, region, tripType) {
  const cell = cells.get(key(month, region, tripType));
  if (!cell) return { ...ofAll, state: withheld.has(month) ? "hidden" : "none", value: null };
  const value = raw(cell, name);
  if (isUnknownCost(cell, name)) return { ...ofAll, state: "none", value: null };
  if (value !== null) return { ...coverage(cell, name), isPartial: partial.has(month), state: "shown", value, number: documentNumber(cell, name), cell };
  return { ...ofAll, state: isNone(cell, name) ? "none" : "hidden", value: null };
}

function grouped(value) {
  return (value < 0 ? "-" : "") + String(Math.abs(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

function decimals(units, places) {
  const digits = String(Math.abs(units)).padStart(places + 1, "0");
  return (units < 0 ? "-" : "") + grouped(Number(digits.slice(0, -places))) + "." + digits.slice(-places);
}

function dollars(cents) {
  return (cents < 0 ? "-" : "") + "$" + decimals(Math.abs(cents), 2);
}

function clock(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60);
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

// `1 h 2 min 10 s`.
function brief(seconds) {
  const units = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
  return units.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`).join(" ") || "0 s";
}

// The quotient of two whole numbers, halves away from zero.
function halfUp(dividend, divisor) {
  const quotient = Math.floor((2 * Math.abs(dividend) + divisor) / (2 * divisor));
  return dividend < 0 && quotient > 0 ? -quotient : quotient;
}

function wholeSeconds(tenths) {
  return halfUp(tenths, 10);
}

function shown(value, format) {
  switch (format) {
    case "count": return grouped(value);
    case "percent": return `${value}%`;
    case "share": return (value % 10 === 0 ? decimals(value / 10, 1) : decimals(value, 2)) + "%";
    case "tenthsOfPercent": return decimals(value, 1) + "%";
    case "dollars": return dollars(value);
    case "miles": return decimals(value, 1);
    case "tenthsOfSeconds": return clock(wholeSeconds(value));
    default: return clock(value);
  }
}

function roundedSign(kpi) {
  return isRelease && kpi.isRounded ? catalog.words.rounded : "";
}

function figureText(one, kpi) {
  return one.state === "shown" ? roundedSign(kpi) + shown(one.value, kpi.format) : one.state;
}

// In running text, times in units: `14 min 10 s`.
function spacious(value, kpi) {
  const isTime = kpi.format === "seconds" || kpi.format === "tenthsOfSeconds";
  const text = isTime ? brief(kpi.format === "seconds" ? value : wholeSeconds(value)) : shown(value, kpi.format);
  return roundedSign(kpi) + text;
}

function isUnderWay(month) {
  return !partial.has(month) && (latest === null ? Boolean(summary.headline) : month > latest);
}

// Why a month is not compared; null for a whole one.
function remarkOn(month) {
  return partial.has(month) ? "lacks days" : isUnderWay(month) ? "under way" : null;
}

// The content of a table's cell: the figure, its sign, and the sign's words for a screen reader.
function figureParts(one, kpi) {
  const words = signWords(one);
  return [figureText(one, kpi), ...(words === "" ? [] : [
    element("span", { class: "part", "aria-hidden": "true" }, sign(one)), element("span", { class: "visually-hidden" }, ` ${words}`)])];
}

function figureMark(one) {
  return one.state === "shown" ? "num" : `num is-${one.state}`;
}

// Elements are made one by one and texts set as texts: no name can become markup.
function element(name, attributes = {}, ...children) {
  const isDrawing = ["svg", "path", "rect", "circle", "text"].includes(name);
  const made = isDrawing ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

// A name of the data: its direction of writing must not change that of the words beside it.
function named(name) {
  return element("bdi", {}, name);
}
