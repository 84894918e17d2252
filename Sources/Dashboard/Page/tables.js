// The two tables: rows of the choice, sorting, and each table as a CSV file.
const sorting = { groups: null, months: null };
const tableTitles = { groups: "By region and trip type", months: "By month" };

function groupRows(choice) {
  const regions = choices.region.filter((name) => choice.region === ALL || name === choice.region);
  const types = choices.type.filter((name) => choice.type === ALL || name === choice.type);
  const months = calendar.filter((month) => !isUnderWay(month));
  return regions.flatMap((region) => types.map((type) => ({
    names: [region, type], order: [choices.region.indexOf(region), choices.type.indexOf(type)],
    figures: catalog.columns.map((name) => figure(name, choice.month, region, type)), isChosen: false,
    isSum: type === ALL || region === ALL, trips: months.map((month) => figure("trips", month, region, type)),
  })));
}

function monthRows(choice) {
  return calendar.map((month, place) => ({
    names: [month], order: [place], isChosen: month === choice.month, remark: remarkOn(month),
    figures: catalog.columns.map((name) => figure(name, month, choice.region, choice.type)),
  }));
}

// All rows keep their places; the others are sorted among themselves. What has no figure comes last.
function sorted(rows, order) {
  if (!order) return rows;
  const value = (row) => order.column < row.order.length
    ? row.order[order.column] : row.figures[order.column - row.order.length].value;
  const others = rows.filter((row) => !row.isSum).sort((one, other) => {
    const a = value(one), b = value(other);
    if (a === null || b === null) return (a === null) - (b === null);
    return order.isDescending ? b - a : a - b;
  });
  return rows.map((row) => (row.isSum ? row : others.shift()));
}

function renderTable(id, rows) {
  const table = byId(id);
  if (!table) return;
  const mark = (row) => row.isChosen ? { class: "is-chosen" } : row.isSum ? { class: "is-sum" } : {};
  const made = sorted(rows, sorting[id]).map((row) => element("tr", mark(row),
    element("th", { scope: "row" }, named(row.names[0]), ...(row.isChosen ? [element("span", { class: "visually-hidden" }, " (chosen)")] : []),
      ...(row.remark ? [element("span", { class: "under-way" }, ` ${row.remark}`)] : [])),
    ...row.names.slice(1).map((name) => element("td", {}, named(name))),
    ...row.figures.map((one, at) => element("td", { class: figureMark(one) }, ...figureParts(one, catalog.kpis[catalog.columns[at]]))),
    ...(row.trips ? [element("td", { class: "trend" }, spark(sparkPath(row.trips, rangeOf(row.trips))))] : [])));
  table.tBodies[0].replaceChildren(...made);
}

function joined(names) {
  return [...new Set(names)].join(" or ");
}

// Where the regions have different trip types, they are named: the same as `tripTypesText` in Swift.
function tripTypesText(group) {
  const types = (region) => joined(group.tripTypes.filter((_, at) => group.regions[at] === region));
  const regions = [...new Set(group.regions)], texts = [...new Set(regions.map(types))];
  if (texts.length < 2) return texts[0] ?? "";
  return texts.map((text) => `${text} (${regions.filter((region) => types(region) === text).join(", ")})`).join("; ");
}

// Groups of several regions or trip types of a month: their trips are in no cell by themselves.
function mergedRows(choice) {
  const month = keyMonth(choice), place = { region: choice.region, type: choice.type };
  return (summary.groups ?? []).filter((group) => group.month === month && group.regions.length > 1 &&
    leavesOf(group).some((leaf) => holds(leaf, place)));
}

function renderMerged(choice) {
  const table = byId("merged");
  if (!table) return;
  const shown = (group, name) => {
    // Of cancelled trips and no-shows the document has their number only.
    const isRun = !["cancelled", "noShow"].includes(group.population), kpi = catalog.kpis[name];
    const value = isRun ? documentNumber(group, name) : null;
    const one = { ...ofAll, state: value !== null ? "shown" : isRun ? "hidden" : "none", value: value === null ? null : Math.round(value * kpi.unitsPerOne) };
    return element("td", { class: figureMark(one) }, ...figureParts(one, kpi));
  };
  table.tBodies[0].replaceChildren(...mergedRows(choice).map((group) => element("tr", {},
    element("th", { scope: "row" }, named(joined(group.regions))), element("td", {}, named(tripTypesText(group))),
    element("td", {}, catalog.populations[group.population]), element("td", { class: "num" }, grouped(group.trips)),
    ...catalog.groupColumns.map((name) => shown(group, name)))));
}

function renderTables(choice) {
  renderTable("groups", groupRows(choice));
  renderTable("months", monthRows(choice));
  renderMerged(choice);
}

function makeSortable(id, choice) {
  const headers = byId(id) ? [...byId(id).tHead.rows[0].cells] : [];
  headers.forEach((header, column) => {
    const title = header.textContent, isFigure = header.classList.contains("num");
    const mark = element("span", { class: "sort-mark", "aria-hidden": "true" });
    const button = element("button", { type: "button", class: "sort", "aria-label": `${title}: sort the table ${tableTitles[id].toLowerCase()}` },
      element("span", {}, title), mark);
    button.addEventListener("click", () => {
      const now = sorting[id];
      const isDescending = now?.column === column ? !now.isDescending : isFigure;
      sorting[id] = { column, isDescending };
      for (const other of headers) {
        other.removeAttribute("aria-sort");
        const arrow = other.querySelector(".sort-mark");
        if (arrow) arrow.textContent = "";
      }
      header.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      mark.textContent = isDescending ? "▼" : "▲";
      renderTables(choice());
      say(`${tableTitles[id]}: sorted by ${title}, ${isDescending ? "descending" : "ascending"}.`);
    });
    header.replaceChildren(button);
  });
  const row = byId(id)?.tHead.rows[0];
  if (row && id === "groups") row.append(element("th", { scope: "col" }, "Trips by month"));
}

// A spreadsheet takes a text with one of these first characters for a formula: such a text gets an apostrophe.
function csvText(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// Figures as numbers in the column's unit; a hidden one is `hidden`.
function csvFigure(one, kpi) {
  return one.state !== "shown" ? one.state : String(one.number) + sign(one);
}

function csv(id, choice) {
  const names = id === "groups" ? ["Region", "Trip type"] : ["Month"];
  const rows = sorted(id === "groups" ? groupRows(choice) : monthRows(choice), sorting[id]);
  const unit = (kpi) => ({ seconds: " (seconds)", tenthsOfSeconds: " (seconds)", dollars: " (dollars)", tenthsOfPercent: " (share)", miles: " (miles)" }[kpi.format] ?? "");
  const kpis = catalog.columns.map((name) => catalog.kpis[name]);
  const lines = [[...names, ...kpis.map((kpi) => kpi.title + unit(kpi))].map(csvText),
    ...rows.map((row) => [...row.names.map(csvText), ...row.figures.map((one, at) => csvFigure(one, kpis[at]))])];
  const stamp = document.querySelector(".stamp")?.textContent;
  const text = lines.map((line) => line.join(",")).join("\r\n") + "\r\n";
  return (stamp ? csvText(stamp) + "\r\n" : "") + text;
}

function makeDownload(id, choice) {
  const place = byId(`${id}-tools`);
  if (!place) return;
  const button = element("button", { type: "button", class: "tool" }, `Download this table (CSV): ${tableTitles[id].toLowerCase()}`);
  button.addEventListener("click", () => {
    const link = element("a", { download: `trip-kpis-${id}.csv` });
    link.href = URL.createObjectURL(new Blob([csv(id, choice())], { type: "text/csv" }));
    link.click();
    // Some browsers read the file after the click has ended.
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`${tableTitles[id]}: a CSV file was made.`);
  });
  place.append(button);
}
