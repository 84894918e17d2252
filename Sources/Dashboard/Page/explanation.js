// Why a cell is not shown, or incomplete, and what would show it: the same as CellExplanation in Swift, from the same
// sentences.
const UNASSIGNED = "Unassigned";

function sentence(name, values = {}) {
  return catalog.sentences[name].replace(/\{(\w+)\}/g, (_, value) => values[value] ?? "");
}

function list(names, most = 6) {
  if (names.length < 2) return names[0] ?? "";
  if (names.length > most) return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

function cellName(place) {
  const part = (name, all) => name === ALL ? all : name;
  return [part(place.region, "All regions"), part(place.type, "all trip types"), part(place.month, "all months")].join(", ");
}

function cellAt(place) {
  return cells.get(key(place.month, place.region, place.type));
}

function leavesOf(group) {
  return group.regions.map((region, at) => ({ region, type: group.tripTypes[at] }));
}

// What is not among the filters is not part of the document's own "All".
function holds(leaf, place) {
  return [ALL, leaf.region].includes(place.region) && [ALL, leaf.type].includes(place.type) &&
    summary.filters.regions.includes(leaf.region) && summary.filters.tripTypes.includes(leaf.type);
}

// A region of which each trip type is there is named as a whole.
function leavesName(leaves) {
  const types = summary.filters.tripTypes;
  const isWhole = (region) =>
    types.includes(UNASSIGNED) && leaves.filter((leaf) => leaf.region === region).length === types.length - 1;
  const whole = summary.filters.regions.filter(isWhole);
  const others = leaves.filter((leaf) => !whole.includes(leaf.region)).map((leaf) => `${leaf.region} ${leaf.type}`);
  return list([...(whole.length ? [sentence("allOfRegions", { regions: list(whole) })] : []), ...others]);
}

// Groups of the same regions and trip types in several months are named once.
function groupTexts(groups) {
  const byLeaves = new Map();
  for (const group of groups) {
    const name = JSON.stringify([group.regions, group.tripTypes]);
    const known = byLeaves.get(name) ?? { leaves: leavesOf(group), months: [], trips: 0 };
    // Each population of a month has groups of its own.
    const months = known.months.includes(group.month) ? known.months : [...known.months, group.month];
    byLeaves.set(name, { ...known, months, trips: known.trips + group.trips });
  }
  return [...byLeaves.values()].map((group) => sentence("group", {
    cells: leavesName(group.leaves), trips: grouped(group.trips), months: list(group.months),
  }));
}

// Where trips are left out, they are left out of each measure of them: the groups say which. Without a group they are
// unclassified ones.
function explainedMeasures(cell, isOfGroups) {
  return (cell.incompleteMeasures ?? []).filter((name) => catalog.measures[name] &&
    (cell.complete !== false || !catalog.measures[name].isOfCompleted || (name === "unclassified" && !isOfGroups)));
}

// A sentence for each reason, of all measures that have it.
function measureSentences(cell, values, isOfGroups) {
  const reasons = new Map();
  for (const name of explainedMeasures(cell, isOfGroups)) {
    const measure = catalog.measures[name];
    const isShown = measure.keys.some((name) => raw(cell, name) !== null);
    const kind = isShown ? "measuresIncomplete" : "measuresNotShown";
    const known = reasons.get(kind + measure.why) ?? { kind, why: measure.why, titles: [] };
    reasons.set(kind + measure.why, { ...known, titles: [...known.titles, measure.title] });
  }
  return [...reasons.values()].map((reason) => {
    const titles = list(reason.titles);
    return sentence(reason.kind, { measures: titles[0].toUpperCase() + titles.slice(1), why: sentence(reason.why, values) });
  });
}

function beyondRemedies(cell, place, leaves) {
  const remedies = [];
  const wider = [{ ...place, type: ALL }, { ...place, region: ALL }, { ...place, region: ALL, type: ALL }].find((one) => {
    const other = cellAt(one);
    return other && other !== cell && other.complete === true && !other.suppressed;
  });
  if (wider) remedies.push(sentence("widerCell", { cell: cellName(wider) }));
  const ofAllMonths = { ...place, month: ALL };
  if (cell.suppressed && place.month !== ALL && cellAt(ofAllMonths)?.suppressed === false) {
    remedies.push(sentence("allMonths", { cell: cellName(ofAllMonths) }));
  }
  if (leaves.some((leaf) => leaf.region === UNASSIGNED)) remedies.push(sentence("mapRegions"));
  if (leaves.some((leaf) => leaf.type === UNASSIGNED)) remedies.push(sentence("mapTripTypes"));
  return remedies;
}

function lead(cell) {
  if (cell.suppressed) return "suppressed";
  if (cell.complete === false) return "incomplete";
  if (cell.trips === 0) return "noTrips";
  return cell.incompleteMeasures?.length ? "completeWithoutMeasures" : "complete";
}

// Paragraphs: why, and what would show it; none where there is nothing to explain.
function explanation(place) {
  const cell = cellAt(place), least = summary.privacy.minimumCell;
  if (summary.audience !== "release" || !cell) return [];
  const values = { least: String(least), few: `1 to ${least - 1}` };
  const reasons = [], remedies = [];
  const beyond = (summary.mergedGroups ?? []).filter((group) => {
    const leaves = leavesOf(group);
    return [ALL, group.month].includes(place.month) && leaves.some((leaf) => holds(leaf, place)) &&
      !leaves.every((leaf) => holds(leaf, place));
  });
  if (beyond.length) {
    const name = cell.suppressed ? "groupsOfSuppressed" : "groupsOfIncomplete";
    reasons.push(sentence(name, { ...values, groups: list(groupTexts(beyond), 3) }));
    remedies.push(...beyondRemedies(cell, place, beyond.flatMap(leavesOf)));
  }
  if (!cell.suppressed) {
    const isOfGroups = beyond.length > 0;
    reasons.push(...measureSentences(cell, values, isOfGroups));
    if ((cell.incompleteMeasures ?? []).includes("unclassified")) remedies.push(sentence("classifyTrips"));
    if (explainedMeasures(cell, isOfGroups).some((name) => catalog.measures[name].isOfValues)) remedies.push(sentence("completeValues"));
    if (summary.privacy.missingCounts === "omitted") reasons.push(sentence("missingCountsOmitted"));
  }
  if (cell.revisionPending === true) {
    reasons.push(sentence("revisionPending"));
    remedies.push(sentence("waitForRevision"));
  }
  if (reasons.length) remedies.push(sentence("staffFigures"));
  const absent = place.month === ALL ? summary.withheldMonths.filter((month) => !cells.has(key(month, ALL, ALL))) : [];
  if (absent.length) reasons.push(sentence("withheldMonths", { months: list(absent) }));
  if (reasons.length) reasons.unshift(sentence(lead(cell), { cell: cellName(place) }));
  const shows = remedies.length ? [sentence("whatWouldShowIt"), ...remedies] : [];
  return [reasons, shows].filter((part) => part.length > 0).map((part) => part.join(" "));
}
