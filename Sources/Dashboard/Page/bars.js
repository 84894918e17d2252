// Where: regions and trip types as sorted bars with their values, and regions by month on one scale.

// The month of the key figures, or all months where it shows no group.
function barsMonth(name, choice, places) {
  const month = keyMonth(choice);
  const shows = (one) => places.some((place) => figure(name, one, ...place).value !== null);
  return month !== null && (choice.month !== ALL || shows(month)) ? month : ALL;
}

// Whether a share, mean or percentile is of so few trips that it says little beside others.
function isOfFew(kpi, month, place) {
  if (kpi.none !== "whereSumIsZero") return false;
  const counts = kpi.noneOf.map((name) => figure(name, month, ...place).value);
  return counts.every((count) => count !== null) && counts.reduce((sum, count) => sum + count, 0) < catalog.fewestTrips;
}

// Largest first. Figures that leave out trips cannot be compared: they come after the others, unsorted and without a bar.
function bars(name, month, groups) {
  const kpi = catalog.kpis[name];
  const found = groups.map((group) => ({ ...group, one: figure(name, month, ...group.place) }));
  const shown = found.filter(({ one }) => one.value !== null);
  const few = shown.filter(({ place }) => isOfFew(kpi, month, place)).map((group) => group.name);
  const known = shown.filter((group) => !few.includes(group.name))
    .sort((a, b) => Number(a.one.isIncomplete) - Number(b.one.isIncomplete) || (a.one.isIncomplete ? 0 : b.one.value - a.one.value));
  const largest = Math.max(1, ...known.filter(({ one }) => !one.isIncomplete).map(({ one }) => one.value));
  const inState = (state) => found.filter(({ one }) => one.state === state).map((group) => group.name);
  const list = (word, names) => {
    return names.length === 0 ? [] : [element("p", { class: "legend" }, `${word}: `,
      ...names.flatMap((each, at) => (at === 0 ? [named(each)] : [", ", named(each)])), ".")];
  };
  const rows = known.map(({ name: group, one, isChosen }) => element("li", isChosen ? { class: "is-chosen" } : {},
    element("span", { class: "bar-name" }, named(group)),
    element("svg", { class: "bar-track", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
      ...(one.isIncomplete ? [] : [element("rect", { class: "bar", x: "0", y: "0", width: Math.max(0.5, (100 * Math.max(0, one.value)) / largest).toFixed(1), height: "10" })])),
    element("span", { class: "bar-value" }, spacious(one.value, kpi), ...(sign(one) ? [element("span", { class: "part", "aria-hidden": "true" }, sign(one)),
      element("span", { class: "visually-hidden" }, ` ${signWords(one)}`)] : []))));
  return [...(rows.length ? [element("ul", { class: "bars" }, ...rows)] : []), ...list(`Of fewer than ${catalog.fewestTrips} trips, not ranked`, few),
    ...list("Hidden", inState("hidden")), ...list("None", inState("none"))];
}

function groupChart(id, title, month, content) {
  return element("figure", { class: "chart", id: `chart-${id}` },
    element("h3", { class: "chart-title" }, `${title}, ${month === ALL ? "all months" : month}`), ...content);
}

function regionChart(name, choice) {
  const regions = choices.region.filter((region) => region !== ALL);
  const groups = (type) => regions.map((region) => ({ name: region, place: [region, type], isChosen: region === choice.region }));
  const month = barsMonth(name, choice, groups(choice.type).map((group) => group.place));
  const kpi = catalog.kpis[name], content = bars(name, month, groups(choice.type));
  const types = choices.type.filter((type) => type !== ALL);
  if (choice.type === ALL && types.length > 1) {
    const details = element("details", { class: "chart-types" }, element("summary", {}, `${kpi.title} by region, for each trip type`));
    // There may be hundreds of rows: they are made when they are asked for.
    details.addEventListener("toggle", () => {
      if (details.children.length > 1) return;
      details.append(...types.flatMap((type) => [element("h4", {}, named(type)), ...bars(name, month, groups(type))]));
    });
    content.push(details);
  }
  return groupChart(`regions-${name.replace(".", "-")}`, `${kpi.title} by region`, month, content);
}

function typeChart(choice) {
  const groups = choices.type.filter((type) => type !== ALL)
    .map((type) => ({ name: type, place: [choice.region, type], isChosen: type === choice.type }));
  const month = barsMonth("trips", choice, groups.map((group) => group.place));
  return groupChart("types", "Trips by trip type", month, bars("trips", month, groups));
}

// Each region's months as a line, all on one scale.
function multiples(name, choice) {
  const kpi = catalog.kpis[name], months = calendar.filter((month) => !isUnderWay(month));
  // The few trips without a region would stretch the scale of all others.
  const rows = choices.region.filter((region) => region !== ALL && region !== UNASSIGNED)
    .map((region) => ({ region, figures: months.map((month) => figure(name, month, region, choice.type)) }));
  const range = rangeOf(rows.flatMap((row) => row.figures));
  if (rows.length < 2 || range === null || months.length < 2) return [];
  const items = rows.map(({ region, figures }) => {
    const path = sparkPath(figures, range), last = figures[figures.length - 1];
    return element("li", {}, element("span", { class: "bar-name" }, named(region)), spark(path),
      element("span", { class: "bar-value" }, ...cardParts(last, kpi, "none")));
  });
  return [element("figure", { class: "chart is-wide", id: `chart-multiples-${name.replace(".", "-")}` },
    element("h3", { class: "chart-title" }, `${kpi.title} by month and region`),
    element("p", { class: "legend" }, `One scale, ${spacious(range.least, kpi)} to ${spacious(range.most, kpi)}; ${months[0]} to ${months[months.length - 1]}, value of the last month.`),
    element("ul", { class: "multiples" }, ...items))];
}

function renderCharts(choice) {
  const holder = byId("charts"), where = byId("where");
  if (!holder) return;
  const open = [...where.querySelectorAll("details[open]")].map((one) => one.closest("figure").id);
  const focused = holder.contains(document.activeElement) || where.contains(document.activeElement)
    ? [document.activeElement.closest("figure")?.id, document.activeElement.matches("summary") ? "summary" : ".plot"] : null;
  // As in the style: columns of at least 20 rem with gaps of 1 rem. A chart has a padding of 1 rem and a border.
  const size = rem(), columns = Math.max(1, Math.floor((holder.clientWidth + size) / (21 * size)));
  const width = Math.max(12 * size, (holder.clientWidth + size) / columns - 3 * size - 2);
  holder.replaceChildren(...catalog.keyFigures.map((name) => monthChart(name, choice, width)));
  where.replaceChildren(regionChart("response.p90", choice), regionChart("inHouseShare", choice), regionChart("trips", choice), typeChart(choice),
    ...multiples("response.p90", choice), ...multiples("inHouseShare", choice));
  for (const id of open) byId(id)?.querySelector("details")?.setAttribute("open", "");
  if (focused?.[0]) byId(focused[0])?.querySelector(focused[1])?.focus();
}
