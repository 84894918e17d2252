// The list of trips: filters, pages of the list, links and the detail. Without this script the page has its first rows.
const ALL = "", NOT_KNOWN = "not known", MASK = "••••••••";
const SOURCING = { inHouse: "in-house" };
const data = JSON.parse(document.getElementById("trips-rows").textContent);
const byId = (id) => document.getElementById(id);
const places = { month: byId("filter-month"), type: byId("filter-type"), region: byId("filter-region") };
// A date is a day or, where days are not shown, a year.
const periodOf = (trip) => trip.date.slice(0, 7);
const valueOf = { month: periodOf, type: (trip) => trip.tripType, region: (trip) => trip.region ?? "not shown" };
let choice = { month: ALL, type: ALL, region: ALL, page: 1 }, problems = [];
// Where rows are left out, the oldest month of the page is not whole.
const isPart = data.rowCount > data.rows.length;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A duration of 0 was not measured.
const durationText = (trip) => (trip.duration > 0 ? timeText(trip.duration) : NOT_KNOWN);
const regionText = (trip) => trip.region ?? "not shown";
const providerText = (trip) => (trip.provider === "" ? "not shown" : trip.provider);

function timeText(seconds) {
  const whole = Math.round(seconds);
  const parts = [[Math.floor(whole / 3600), "h"], [Math.floor(whole / 60) % 60, "min"], [whole % 60, "s"]];
  return parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`).join(" ") || "0 s";
}

function distanceText(trip) {
  return trip.distance > 0 ? `${trip.distance} ${trip.distance === 1 ? "mile" : "miles"}` : NOT_KNOWN;
}

function chosen() {
  return data.rows.filter((trip) => Object.keys(places).every((name) => choice[name] === ALL || valueOf[name](trip) === choice[name]));
}

// The address says the choice: `#month=2026-03&type=Routine&page=2`. Any other hash is a place on the page.
const isPlace = () => location.hash.length > 1 && !location.hash.includes("=");

function choiceOfAddress() {
  const asked = new URLSearchParams(location.hash.slice(1)), found = { month: ALL, type: ALL, region: ALL, page: 1 };
  const titles = { month: byId("month-label").textContent.toLowerCase(), type: "trip type", region: "region" };
  problems = [];
  for (const name of Object.keys(places)) {
    const value = asked.get(name);
    if (value === null) continue;
    if ([...places[name].options].some((option) => option.value === value)) found[name] = value;
    else problems.push(`The link names a ${titles[name]} that is not on this page; All is shown. `);
  }
  const page = Number(asked.get("page"));
  if (Number.isInteger(page) && page > 1) found.page = page;
  return found;
}

function remember() {
  if (isPlace()) return;
  const parts = Object.entries(choice).filter(([name, value]) => (name === "page" ? value > 1 : value !== ALL));
  history.replaceState(null, "", parts.length ? "#" + new URLSearchParams(parts) : location.pathname + location.search);
}

function facts(trip) {
  return [["Date", trip.date], ["Trip type", trip.tripType], ["Region", regionText(trip)], ["Sourcing", SOURCING[trip.sourcing] ?? trip.sourcing],
    ["Provider", providerText(trip)], ["Duration", durationText(trip)],
    ["Response", trip.response === null ? NOT_KNOWN : timeText(trip.response)], ["Distance", distanceText(trip)], ["Cost", null], ["Patient", null],
    ["Public id", trip.id]];
}

function openDetail(trip) {
  byId("detail-title").replaceChildren(element("bdi", {}, trip.tripType));
  // The sentence of the contract's `accessibilityLabel`.
  byId("detail-text").replaceChildren(`Trip ${trip.date.includes("-") ? "on" : "in"} ${trip.date}, provider `, element("bdi", {}, providerText(trip)), `, distance ${distanceText(trip)}.`);
  byId("detail-facts").replaceChildren(...facts(trip).flatMap(([title, text]) => [element("dt", {}, title),
    text === null ? element("dd", {}, element("span", { "aria-hidden": "true" }, MASK), element("span", { class: "visually-hidden" }, "masked"))
      : element("dd", {}, element("bdi", {}, text))]));
  // The browser closes a dialog on Escape, and gives the focus back to what opened it.
  byId("detail").showModal();
}

// The number makes the name of each button its own.
function row(trip, number) {
  const button = element("button", { type: "button", class: "open", "aria-haspopup": "dialog" }, element("bdi", {}, trip.tripType),
    element("span", { class: "visually-hidden" }, `, trip ${number.toLocaleString("en-US")} of the list`));
  button.addEventListener("click", () => openDetail(trip));
  return element("tr", {}, element("th", { scope: "row" }, button), element("td", {}, trip.date),
    element("td", {}, element("bdi", {}, regionText(trip))), element("td", {}, element("bdi", {}, providerText(trip))),
    element("td", { class: "num" }, durationText(trip)), element("td", { class: "num" }, distanceText(trip)));
}

function render() {
  const found = chosen(), size = data.rowsOfAPage, pages = Math.max(1, Math.ceil(found.length / size));
  choice.page = Math.min(choice.page, pages);
  const first = (choice.page - 1) * size, shown = found.slice(first, first + size);
  for (const [name, select] of Object.entries(places)) select.value = choice[name];
  byId("trips").tBodies[0].replaceChildren(...shown.map((trip, place) => row(trip, first + place + 1)));
  const grouped = (count) => count.toLocaleString("en-US");
  const count = isPart ? `${grouped(found.length)} of the ${grouped(data.rows.length)} trips on this page`
    : `${grouped(found.length)} ${found.length === 1 ? "trip" : "trips"}`;
  byId("state").textContent = problems.join("") + (found.length === 0 ? "No trip matches these filters."
    : `${count}; showing ${grouped(first + 1)} to ${grouped(first + shown.length)}.`);
  byId("page-text").textContent = `Page ${choice.page} of ${pages}`;
  byId("page-before").setAttribute("aria-disabled", String(choice.page === 1));
  byId("page-after").setAttribute("aria-disabled", String(choice.page === pages));
  remember();
}

// A button that cannot be used keeps the focus, and does nothing. After a turn the reader is at the head of the list.
function turn(button, pages) {
  if (button.getAttribute("aria-disabled") === "true") return;
  choice.page += pages;
  problems = [];
  render();
  goTo(byId("list-title"));
}

function goTo(target) {
  target.tabIndex = -1;
  target.focus();
  target.scrollIntoView();
}

// A link within the page leaves the choice in the address.
function followWithin(link) {
  link.addEventListener("click", (event) => {
    const target = byId(link.getAttribute("href").slice(1));
    if (!target) return;
    event.preventDefault();
    goTo(target);
  });
}

function start() {
  for (const [name, select] of Object.entries(places)) {
    const values = [...new Set(data.rows.map(valueOf[name]))].sort();
    if (name === "month") values.reverse();
    const oldest = name === "month" && isPart ? values[values.length - 1] : null;
    select.append(element("option", { value: ALL }, "All"),
      ...values.map((value) => element("option", { value }, value === oldest ? `${value} (part)` : value)));
    select.addEventListener("change", () => {
      problems = [];
      choice = { ...choice, [name]: select.value, page: 1 };
      render();
    });
  }
  if (data.rows.every((trip) => trip.date.length === 4)) byId("month-label").textContent = "Year";
  byId("filter-clear").addEventListener("click", () => {
    problems = [];
    choice = { month: ALL, type: ALL, region: ALL, page: 1 };
    render();
  });
  byId("page-before").addEventListener("click", (event) => turn(event.currentTarget, -1));
  byId("page-after").addEventListener("click", (event) => turn(event.currentTarget, 1));
  for (const link of document.querySelectorAll('a[href^="#"]')) followWithin(link);
  byId("detail-close").addEventListener("click", () => byId("detail").close());
  addEventListener("hashchange", () => {
    if (isPlace()) return;
    choice = choiceOfAddress();
    render();
  });
  byId("no-script").hidden = true;
  byId("controls").hidden = false;
  byId("pages").hidden = false;
  choice = choiceOfAddress();
  render();
}

if (data.rows.length) start();
