// The choice: filters, links, and what is drawn for them. Without this script the page has its tables, over everything.
const byId = (id) => document.getElementById(id);
const controls = { month: byId("filter-month"), region: byId("filter-region"), type: byId("filter-type") };
const choices = { month: summary.filters.months, region: summary.filters.regions, type: summary.filters.tripTypes };
const everything = { month: ALL, region: ALL, type: ALL };
const documentTitle = document.title;
let choice = everything;

// The address says the choice: `#month=2025-03&region=North&type=Emergency`, or `#all`. Null: it speaks of a place.
function choiceOfAddress() {
  const hash = location.hash.slice(1);
  if (hash === "" || hash === "all") return { choice: everything, problems: [] };
  if (!hash.includes("=")) return null;
  const asked = new URLSearchParams(hash), found = { ...everything }, problems = [];
  const titles = { month: "month", region: "region", type: "trip type" };
  for (const [name, values] of Object.entries(choices)) {
    const value = asked.get(name) ?? ALL;
    if (values.includes(value)) found[name] = value;
    else if (name === "month" && withheld.has(value)) problems.push(`${value} is withheld: it has too few trips, or is not over. All months are shown.`);
    else problems.push(`The link names a ${titles[name]} that is not here; All is shown.`);
  }
  return { choice: found, problems };
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

function sayState(problems, isExplained) {
  const trips = figure("trips", choice.month, choice.region, choice.type), selection = selectionText(choice);
  const lost = problems.map((problem) => problem + " ").join("");
  if (trips.state === "hidden") {
    const least = summary.privacy.minimumCell;
    const why = isExplained ? "" : ` It is of fewer than ${least} trips or patients, or shown only together with other cells.`;
    say(`${lost}${selection}: hidden.${why}`, true);
  } else if (trips.value === 0 || trips.state === "none") {
    say(`${lost}${selection}: no trips.`, true);
  } else {
    const isEverything = selection.startsWith("All months");
    say(`${lost}Showing ${isEverything ? "a" + selection.slice(1) : selection}: ${grouped(trips.value)} ${trips.value === 1 ? "trip" : "trips"}${trips.isIncomplete ? "+, at least" : ""}.`, problems.length > 0);
  }
}

function render() {
  renderCards(choice);
  renderCharts(choice);
  renderTables(choice);
}

function apply(wanted, problems) {
  choice = wanted;
  for (const [name, control] of Object.entries(controls)) control.selectedIndex = choices[name].indexOf(choice[name]);
  const chosen = selectionText(choice), month = keyMonth(choice);
  for (const place of document.querySelectorAll("[data-selection]")) place.textContent = chosen;
  for (const place of document.querySelectorAll("[data-key-selection]")) {
    place.textContent = month === null ? chosen : selectionText({ ...choice, month });
  }
  const ofMonths = selectionText({ ...choice, month: ALL }).slice("All months, ".length);
  for (const place of document.querySelectorAll("[data-months-selection]")) {
    place.textContent = ofMonths[0].toUpperCase() + ofMonths.slice(1);
  }
  const isEverything = Object.values(choice).every((value) => value === ALL);
  byId("filter-summary").textContent = isEverything ? "Filter" : `Filter: ${chosen}`;
  document.title = isEverything ? documentTitle : `${chosen} – ${documentTitle}`;
  render();
  const why = explanation(choice);
  byId("why").replaceChildren(...why.map((text) => element("p", {}, text)));
  byId("why-box").hidden = why.length === 0;
  sayState(problems, why.length > 0);
}

function follow() {
  const found = choiceOfAddress();
  if (found) apply(found.choice, found.problems);
}

// A link within the page moves the focus and leaves the address, which says the choice.
function followWithin(link) {
  link.addEventListener("click", (event) => {
    const target = byId(link.getAttribute("href").slice(1));
    if (!target) return;
    event.preventDefault();
    target.tabIndex = -1;
    target.focus();
    target.scrollIntoView();
  });
}

function makeCopyLink() {
  const button = element("button", { type: "button", class: "tool" }, "Copy link");
  button.addEventListener("click", async () => {
    const link = location.href.split("#")[0] + address(choice);
    try {
      await navigator.clipboard.writeText(link);
      say("The link to this choice is in the clipboard.");
    } catch {
      location.hash = address(choice);
      say("The browser does not allow copying: the link to this choice is in the address bar.", true);
    }
  });
  byId("filter-tools").append(button);
}

// Old pages say so: whoever opens one later sees figures that others have replaced.
function sayAge() {
  const days = Math.floor((Date.now() - Date.parse(summary.generatedAt)) / 86400000);
  if (!(days > catalog.mostDays)) return;
  byId("age").textContent = `Old page: it was made ${grouped(days)} days ago. Look for a newer one.`;
  byId("age").hidden = false;
}

for (const [name, control] of Object.entries(controls)) {
  control.addEventListener("change", () => {
    location.hash = address({ ...choice, [name]: choices[name][control.selectedIndex] });
  });
}
byId("filter-clear").addEventListener("click", () => { location.hash = address(everything); });
addEventListener("hashchange", follow);
for (const link of document.querySelectorAll('a[href^="#"]')) followWithin(link);
makeSortable("groups", () => choice);
makeSortable("months", () => choice);
makeDownload("groups", () => choice);
makeDownload("months", () => choice);
makeCopyLink();
sayAge();
byId("no-script").hidden = true;
byId("filters").hidden = false;
const isWide = matchMedia("(min-width: 48rem)").matches;
byId("filters").open = isWide;
byId("trust").open = isWide;
if (byId("key-figures")) byId("key-figures").hidden = true;
byId("cards").hidden = false;
for (const one of document.querySelectorAll("[data-script]")) one.hidden = false;
const linked = choiceOfAddress() ?? { choice: everything, problems: [] };
apply(linked.choice, linked.problems);

// Charts are as wide as their place, and their texts as large as the page's.
let drawnFor = `${innerWidth} ${rem()}`;
new ResizeObserver(() => {
  const now = `${innerWidth} ${rem()}`;
  if (now === drawnFor) return;
  drawnFor = now;
  renderCharts(choice);
}).observe(document.documentElement);
