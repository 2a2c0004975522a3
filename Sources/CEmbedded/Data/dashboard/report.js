// A report in JSON, as docs/report.schema.json has it. Saved ones may be anybody's, so nothing in it is taken for granted.
import { element, fill, pairs } from "./elements.js";
import { line } from "./connections.js";
import { result } from "./result.js";
import { consequences, mood, outcome } from "./words.js";
import { tr } from "./texts.js";

// From the best to the worst.
const order = ["served", "protected", "unknown", "locked-out", "intercepted"];

const list = (value) => (Array.isArray(value) ? value.filter((one) => one && typeof one === "object") : []);

const word = (value) => (typeof value === "string" || typeof value === "number" ? value : "?");

/** The whole report. */
export function report(json) {
  if (json?.version !== 1 || !Array.isArray(json.trials)) throw new Error("it is no report of PinDrill's, version 1");
  const trials = list(json.trials).map((trial) => ({ ...trial, steps: list(trial.steps), consequence: worst(list(trial.steps)) }));
  const rows = element("div");
  const filter = element("input", { type: "checkbox", id: "all-trials" });
  const draw = () => {
    const chosen = filter.checked ? trials : trials.filter((one) => mood(one) !== "good");
    fill(rows, chosen.length === 0 ? element("p", {}, tr("Nothing needs attention.")) : chosen.map(trialRow));
  };
  filter.addEventListener("change", draw);
  draw();
  const { verdicts = {}, consequences: ends = {} } = json.summary ?? {};
  const counts = (given) => Object.entries(given).filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`).join(", ");
  return element(
    "div",
    { class: "report" },
    pairs([
      [tr("File"), word(json.file)],
      [tr("Started"), word(json.started)],
      [tr("Trials"), `${trials.length}${json.interrupted ? tr(", interrupted: some are missing") : ""}`],
      [tr("Steps"), counts(verdicts)],
      [tr("For their users"), counts(ends)],
      [tr("Exit status"), json.exit_status],
    ]),
    element("p", { class: "field" }, filter, " ", element("label", { for: "all-trials" }, tr("Also trials in which all is well"))),
    rows,
  );
}

function worst(steps) {
  return order[Math.max(...steps.map(({ consequence }) => order.indexOf(consequence)), -1)];
}

function trialRow(trial) {
  const made = element(
    "details",
    { class: "trial" },
    element("summary", {}, element("h2", {}, `${word(trial.scenario)} · ${word(trial.policy)} · ${word(trial.client)} `, outcome(trial))),
  );
  // Whole catalogues have thousands of steps: each trial is drawn when it is opened.
  made.addEventListener("toggle", () => {
    made.append(
      ...trial.steps.map((step, index) => stepOf(step, index + 1)),
      ...[trial.findings ?? []].flat().map((text) => element("p", {}, `${tr("To mend in the file:")} ${text}`)),
    );
  }, { once: true });
  return made;
}

function stepOf(step, number) {
  const shown = list(step.shown);
  const last = shown.at(-1) ?? {};
  const held = new Map(shown.map(({ chain, holder }) => [chain, holder]));
  return result(
    {
      ...step,
      number,
      at: word(step.at),
      shown: shown.map(({ chain }) => word(chain)),
      holder: last.holder,
      demand: last.demand,
      reason: last.reason,
      consequence: step.consequence in consequences ? step.consequence : undefined,
    },
    list(step.attempts).map((attempt) => [
      element("p", { class: "small" }, tr("wire: {0}; client: {1} ({2})", word(attempt.wire), word(attempt.word), word(attempt.account))),
      element("ul", {}, list(attempt.connections).map((one) => line({ ...one, holder: held.get(one.shown) }))),
      attempt.output && element("pre", { tabindex: "0", "aria-label": tr("What the client printed") }, attempt.output),
    ]),
  );
}
