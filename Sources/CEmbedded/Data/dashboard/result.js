// What came of a step.
import { element } from "./elements.js";
import { attributions, badge, day, mood, outcome, sentence } from "./words.js";

/** A finished step, with what there is to add. */
export function result(one, ...more) {
  const says = [
    sentence(one),
    one.attribution && one.verdict !== "fail" && `Rejected ${attributions[one.attribution] ?? one.attribution}.`,
  ];
  const why = [
    one.verdict !== "pass" && one.grounds,
    one.demand && `the policy demanded: ${one.demand}${one.reason ? `, for ${one.reason}` : ""}`,
    one.word && `word: ${one.word}`,
    typeof one.attempts === "number" && one.attempts > 1 && `${one.attempts} attempts`,
  ];
  return element(
    "article",
    { class: `result ${mood(one)}` },
    element("h3", {}, `Step ${one.number}, ${day(one)}: ${one.shown.join(", ")} `, badge(one.holder), " ", outcome(one)),
    element("p", {}, says.filter(Boolean).join(" ")),
    element("p", { class: "small" }, why.filter(Boolean).join(" · ")),
    one.note && element("p", {}, `Note: ${one.note}`),
    one.advice && element("p", {}, `Next: ${one.advice}`),
    more,
  );
}
