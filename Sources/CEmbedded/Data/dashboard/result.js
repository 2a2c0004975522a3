// What came of a step.
import { element } from "./elements.js";
import { attributions, badge, day, mood, outcome, sentence } from "./words.js";
import { tr } from "./texts.js";

/** A finished step, with what there is to add. */
export function result(one, ...more) {
  const says = [
    sentence(one),
    one.attribution && one.verdict !== "fail" && tr("Rejected {0}.", tr(attributions[one.attribution] ?? one.attribution)),
  ];
  const why = [
    one.verdict !== "pass" && one.grounds,
    one.demand && tr("the policy demanded: {0}{1}", one.demand, one.reason ? `, ${one.reason}` : ""),
    one.word && tr("word: {0}", one.word),
    typeof one.attempts === "number" && one.attempts > 1 && tr("{0} attempts", one.attempts),
  ];
  return element(
    "article",
    { class: `result ${mood(one)}` },
    element("h3", {}, `${tr("Step {0}, {1}", one.number, day(one))}: ${one.shown.join(", ")} `, badge(one.holder), " ", outcome(one)),
    element("p", {}, says.filter(Boolean).join(" ")),
    element("p", { class: "small" }, why.filter(Boolean).join(" · ")),
    one.note && element("p", {}, tr("Note: {0}", one.note)),
    one.advice && element("p", {}, tr("Next: {0}", one.advice)),
    more,
  );
}
