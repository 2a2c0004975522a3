// The days of the story: what was, what is shown now, what is to come.
import { element } from "./elements.js";
import { badge, day, outcome } from "./words.js";
import { tr } from "./texts.js";

export function timeline(drill, scenario) {
  const { step, results, state, shown } = drill;
  const isOver = state === "finished" || state === "stopped";
  const past = results.map((one) => ({ ...one, past: true }));
  const current = step && !isOver && !past.some(({ number }) => number === step.number && state !== "waiting")
    ? [{ ...step, current: true, shown: shown.map(({ chain }) => chain), holder: shown.at(-1)?.holder }]
    : [];
  // A step that is played again stands once.
  const played = [...past.filter(({ number }) => number !== current[0]?.number), ...current]
    .sort((one, other) => one.number - other.number);
  const declared = scenario?.steps ?? [];
  const coming = isOver ? [] : declared.slice(played.filter(({ control }) => !control).length);
  return element(
    "ol",
    { class: "timeline", tabindex: "0", "aria-label": tr("Timeline") },
    played.map((one) =>
      element(
        "li",
        { class: one.current ? "current" : "past", "aria-current": one.current ? "step" : null },
        element("span", { class: "day" }, day(one)),
        element("span", {}, one.shown.length > 0 ? one.shown.join(", ") : one.control ? tr("control") : "", " ", one.holder && badge(one.holder)),
        one.verdict && outcome(one),
        one.current && element("span", {}, tr("now")),
      )
    ),
    coming.map((one) =>
      element("li", { class: "coming" }, element("span", { class: "day" }, day(one)), element("span", {}, one.present.join(", ")))
    ),
  );
}
