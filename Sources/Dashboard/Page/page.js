// Filters, sorting and links. Without this script the page stands as it is, over everything.
const byId = (id) => document.getElementById(id);
const controls = { month: byId("filter-month"), region: byId("filter-region"), type: byId("filter-type") };
const choices = { month: summary.filters.months, region: summary.filters.regions, type: summary.filters.tripTypes };
const everything = { month: ALL, region: ALL, type: ALL };
const documentTitle = document.title;
let choice = everything;
const sorting = { groups: null, months: null };
const controlCharts = new Map((summary.controlCharts ?? []).map((one) => [key(one.measure, one.region, one.tripType), one]));

// The address says the choice: `#month=2025-03&region=North&type=Emergency`, or `#all`. Null: it speaks of a place.
function choiceOfAddress() {
  const hash = location.hash.slice(1);
  if (hash === "" || hash === "all") return { choice: everything, isKnown: true };
  if (!hash.includes("=")) return null;
  const asked = new URLSearchParams(hash), found = { ...everything };
  let isKnown = true;
  for (const [name, values] of Object.entries(choices)) {
    const value = asked.get(name) ?? ALL;
    if (values.includes(value)) found[name] = value;
    else isKnown = false;
  }
  return { choice: found, isKnown };
}

function address(wanted) {
  const parts = Object.entries(wanted).filter(([, value]) => value !== ALL);
  return parts.length ? "#" + new URLSearchParams(parts) : "#all";
}

// What the report is restricted to: "All" means all of that.
const part = summary.selection ? ` (${summary.selection.join("; ")})` : "";

function selectionText(wanted) {
  const month = wanted.month === ALL ? "All months" : wanted.month;
  const region = wanted.region === ALL ? "all regions" : wanted.region;
  return `${month}, ${region}, ${wanted.type === ALL ? "all trip types" : wanted.type}${part}`;
}

function say(text, isWarning = false) {
  const state = byId("state");
  state.textContent = text;
  state.classList.toggle("is-warning", isWarning);
}

function sayState(isKnown, isExplained) {
  const trips = figure("trips", choice.month, choice.region, choice.type), selection = selectionText(choice);
  const lost = isKnown ? "" : "The link names a month, region or trip type that is not here; All stands in its place. ";
  if (trips.state === "hidden") {
    const least = summary.privacy.minimumCell;
    const why = isExplained ? "" : ` It is of fewer than ${least} trips or patients, or shown only together with other cells.`;
    say(`${lost}${selection}: hidden.${why}`, true);
  } else if (trips.value === 0 || trips.state === "none") {
    say(`${lost}${selection}: no trips.`, true);
  } else {
    const isEverything = selection.startsWith("All months");
    say(`${lost}Showing ${isEverything ? "a" + selection.slice(1) : selection}: ${grouped(trips.value)} ${trips.value === 1 ? "trip" : "trips"}${trips.isIncomplete ? "+, incomplete" : ""}.`, !isKnown);
  }
}

// Cards

function cardValue(name, one) {
  const format = catalog.kpis[name].format;
  if (one.state !== "shown") return one.state === "hidden" ? "Hidden" : "None";
  return format === "seconds" || format === "tenthsOfSeconds"
    ? brief(chartFigure(one.value, format)) : shown(one.value, format);
}

function cardNote(id, at) {
  const count = (name) => figure(name, ...at);
  const both = (first, second) => [count(first), count(second)];
  if (id === "totalTrips") return choice.month !== ALL ? choice.month : periodText();
  if (id === "inHousePercent") {
    const [own, others] = both("inHouse", "contracted");
    if (own.value === null || others.value === null) return "split not shown";
    return `${grouped(own.value)} in-house · ${grouped(others.value)} ${others.countsUnclassified ? catalog.words.contractedOrUnclassified : "contracted"}`;
  }
  if (id === "costPerTrip") {
    const costed = count("costedTrips");
    return costed.value === null ? "costed trips hidden" : `${grouped(costed.value)} costed trips`;
  }
  const interval = catalog.cards[id].split(".")[0];
  const [used, excluded] = both(`${interval}.used`, `${interval}.excluded`);
  if (used.value === null || excluded.value === null) return "counts hidden";
  return `${grouped(used.value)} used · ${grouped(excluded.value)} excluded`;
}

function periodText() {
  const months = calendar.filter((month) => cells.has(key(month, ALL, ALL)));
  if (months.length === 0) return "no months";
  const first = months[0], last = months[months.length - 1];
  return first === last ? first : `${first} to ${last}`;
}

function trend(name) {
  const kpi = catalog.kpis[name], month = choice.month !== ALL ? choice.month : latest;
  const none = { mark: "card-trend", arrow: "", text: "No month to compare with" };
  if (month === null) return none;
  const now = figure(name, month, choice.region, choice.type);
  const before = figure(name, monthName(monthCount(month) - 1), choice.region, choice.type);
  if (now.value === null || before.value === null) {
    return now.state === "hidden" ? { ...none, text: `Hidden in ${month}` } : none;
  }
  if (!isComparable(now, before)) return { ...none, text: `${month}: not comparable with the month before` };
  const words = now.value === before.value ? "level with" : now.value > before.value ? "up from" : "down from";
  const text = `${month}: ${shown(now.value, kpi.format)}, ${words} ${shown(before.value, kpi.format)}`;
  return { ...none, text, ...verdict(name, month, text) };
}

// How the month compares with the others of its control chart; nothing for a month that is not in one.
function verdict(name, month, text) {
  const chart = controlCharts.get(key(name === "inHousePercent" ? "inHouseShare" : name, choice.region, choice.type));
  if (!chart || month > chart.lastMonth || chart.monthsLeftOut.includes(month)) return {};
  const signal = chart.signals.find((one) => one.month === month);
  if (!signal) return { text: `${text}; about the same as usual` };
  const word = signal.isBetter === null ? (signal.direction === "high" ? "higher" : "lower") : signal.isBetter ? "better" : "worse";
  return {
    text: `${text}; ${word} than usual`, arrow: signal.direction === "high" ? "▲" : "▼",
    mark: "card-trend" + (signal.isBetter === null ? "" : signal.isBetter ? " is-better" : " is-worse"),
  };
}

function spark(name) {
  const figures = calendar.map((month) => figure(name, month, choice.region, choice.type));
  const values = figures.map((one) => one.value), known = values.filter((value) => value !== null);
  if (known.length === 0 || values.length < 2) return "";
  const least = Math.min(...known), range = Math.max(1, Math.max(...known) - least);
  const path = [];
  values.forEach((value, place) => {
    if (value === null) return;
    const follows = place > 0 && isComparable(figures[place], figures[place - 1]);
    const x = 10 + Math.floor((place * 1180) / (values.length - 1)), y = 230 - ratio(220, value - least, range);
    path.push(`${follows ? "L" : "M"}${tenths(x)} ${tenths(y)}`);
  });
  return path.join(" ");
}

function renderCards() {
  const at = [choice.month, choice.region, choice.type], isEverything = at.every((value) => value === ALL);
  const cards = summary.kpiCards.filter((card) => card.id in catalog.cards).map((card) => {
    const name = catalog.cards[card.id], way = trend(name), one = figure(name, ...at);
    const value = isEverything ? card.value : cardValue(name, one);
    const part = !isEverything && one.isIncomplete ? " · of part of the trips" : "";
    const svg = element("svg", { class: "spark", viewBox: "0 0 120 24", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
      element("path", { d: spark(name) }));
    return element("li", { class: "card" },
      element("h3", { class: "card-title" }, card.title), element("p", { class: "card-value" }, value),
      element("p", { class: "card-note" }, isEverything ? card.subtitle : cardNote(card.id, at) + part),
      element("p", { class: way.mark }, element("span", { class: "arrow", "aria-hidden": "true" }, way.arrow), " ",
        element("span", {}, way.text)),
      svg);
  });
  byId("cards").replaceChildren(...cards);
}

// Charts

function renderCharts() {
  const holder = byId("charts");
  if (!holder) return;
  const open = [...holder.querySelectorAll("details[open]")].map((one) => one.closest("figure").id);
  const focused = document.activeElement?.matches("summary") ? document.activeElement.closest("figure")?.id : null;
  const [regions, types] = catalog.groupCharts;
  holder.replaceChildren(
    ...catalog.monthCharts.map((plan) => monthChart(plan, choice)),
    groupChart(regions, choices.region, "Region", choice, choice.region, (name) => [choice.month, name, choice.type]),
    groupChart(types, choices.type, "Trip type", choice, choice.type, (name) => [choice.month, choice.region, name]));
  for (const id of open) byId(id).querySelector("details").open = true;
  if (focused) byId(focused).querySelector("summary").focus();
}

// Tables

function groupRows() {
  const regions = choices.region.filter((name) => choice.region === ALL || name === choice.region);
  const types = choices.type.filter((name) => choice.type === ALL || name === choice.type);
  return regions.flatMap((region) => types.map((type) => ({
    names: [region, type], order: [choices.region.indexOf(region), choices.type.indexOf(type)],
    figures: catalog.columns.map((name) => figure(name, choice.month, region, type)), isChosen: false, isSum: type === ALL,
  })));
}

function monthRows() {
  return calendar.map((month, place) => ({
    names: [month], order: [place], isChosen: month === choice.month,
    figures: catalog.columns.map((name) => figure(name, month, choice.region, choice.type)),
  }));
}

// What has no figure comes last, whichever way the others go.
function sorted(rows, order) {
  if (!order) return rows;
  const value = (row) => order.column < row.order.length
    ? row.order[order.column] : row.figures[order.column - row.order.length].value;
  return [...rows].sort((one, other) => {
    const a = value(one), b = value(other);
    if (a === null || b === null) return (a === null) - (b === null);
    return order.isDescending ? b - a : a - b;
  });
}

function renderTable(id, rows) {
  const table = byId(id);
  if (!table) return;
  const mark = (row) => row.isChosen ? { class: "is-chosen" } : row.isSum ? { class: "is-sum" } : {};
  const made = sorted(rows, sorting[id]).map((row) => element("tr", mark(row),
    element("th", { scope: "row" }, row.names[0], ...(row.isChosen ? [element("span", { class: "visually-hidden" }, " (chosen)")] : [])),
    ...row.names.slice(1).map((name) => element("td", {}, name)),
    ...row.figures.map((one, at) => element("td", { class: figureMark(one) },
      ...figureParts(one, catalog.kpis[catalog.columns[at]].format)))));
  table.tBodies[0].replaceChildren(...made);
}

function renderTables() {
  renderTable("groups", groupRows());
  renderTable("months", monthRows());
}

function makeSortable(id) {
  const headers = byId(id) ? [...byId(id).tHead.rows[0].cells] : [];
  headers.forEach((header, column) => {
    const title = header.textContent, isFigure = header.classList.contains("num");
    const mark = element("span", { class: "sort-mark", "aria-hidden": "true" });
    const button = element("button", { type: "button", class: "sort" }, element("span", {}, title), mark);
    button.addEventListener("click", () => {
      const now = sorting[id];
      const isDescending = now?.column === column ? !now.isDescending : isFigure;
      sorting[id] = { column, isDescending };
      for (const other of headers) {
        other.removeAttribute("aria-sort");
        other.querySelector(".sort-mark").textContent = "";
      }
      header.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      mark.textContent = isDescending ? "▼" : "▲";
      renderTables();
      say(`Sorted by ${title}, ${isDescending ? "descending" : "ascending"}.`);
    });
    header.replaceChildren(button);
  });
}

// The choice

function apply(wanted, isKnown) {
  choice = wanted;
  for (const [name, control] of Object.entries(controls)) control.selectedIndex = choices[name].indexOf(choice[name]);
  for (const place of document.querySelectorAll("[data-selection]")) place.textContent = selectionText(choice);
  const ofMonths = selectionText({ ...choice, month: ALL }).slice("All months, ".length);
  for (const place of document.querySelectorAll("[data-months-selection]")) {
    place.textContent = ofMonths[0].toUpperCase() + ofMonths.slice(1);
  }
  const isEverything = Object.values(choice).every((value) => value === ALL);
  document.title = isEverything ? documentTitle : `${selectionText(choice)} – ${documentTitle}`;
  renderCards();
  renderCharts();
  renderTables();
  const why = explanation(choice);
  byId("why").replaceChildren(...why.map((text) => element("p", {}, text)));
  sayState(isKnown, why.length > 0);
}

function follow() {
  const found = choiceOfAddress();
  if (found) apply(found.choice, found.isKnown);
}

for (const [name, control] of Object.entries(controls)) {
  control.addEventListener("change", () => {
    location.hash = address({ ...choice, [name]: choices[name][control.selectedIndex] });
  });
}
byId("filter-clear").addEventListener("click", () => { location.hash = address(everything); });
addEventListener("hashchange", follow);
makeSortable("groups");
makeSortable("months");
byId("no-script").hidden = true;
byId("controls").hidden = false;
const linked = choiceOfAddress();
// The markup shows everything already; browsers keep what was chosen before a reload.
if (linked && (!linked.isKnown || Object.values(linked.choice).some((value) => value !== ALL))) apply(linked.choice, linked.isKnown);
else {
  for (const control of Object.values(controls)) control.selectedIndex = 0;
  sayState(true, byId("why").childElementCount > 0);
}
