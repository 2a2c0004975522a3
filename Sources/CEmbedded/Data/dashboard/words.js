// What verdicts and the like mean, in words. docs/verdicts.md has them all.
import { element } from "./elements.js";
import { tr } from "./texts.js";

export const verdicts = {
  pass: "the app did what its policy demands",
  "not-applicable": "the app lacks what this step needs",
  skipped: "not tried",
  inconclusive: "nothing is proved",
  fail: "the app did not do what its policy demands",
};

export const consequences = {
  served: "its users are served",
  protected: "its users are protected",
  unknown: "nobody knows what it meant for its users",
  "locked-out": "its users are locked out: an outage",
  intercepted: "its users are intercepted: a breach",
};

export const attributions = {
  pin: "by the pin",
  configuration: "by the damaged configuration",
  unproven: "by what, is not proved",
  other: "by another check, not the pin",
};

/** Good, bad or doubtful, for the eye; the words beside it say the same. */
export function mood({ verdict, consequence }) {
  if (verdict === "fail" || consequence === "intercepted") return "bad";
  if (verdict !== "pass" || consequence === "locked-out" || consequence === "unknown") return "doubtful";
  return "good";
}

/** A verdict and its consequence. */
export function outcome({ verdict, consequence }) {
  return element(
    "span",
    { class: `outcome ${mood({ verdict, consequence })}` },
    element("strong", {}, verdict),
    consequence && ` ${consequence}`,
  );
}

/** The same as a sentence. */
export function sentence({ verdict, consequence }) {
  const parts = [verdicts[verdict] ?? verdict, consequences[consequence] ?? consequence].filter(Boolean).map((one) => tr(one));
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Whose key it is; nothing where nobody says. */
export function badge(holder) {
  return (holder === "owner" || holder === "attacker") && element("span", { class: `badge ${holder}` }, tr(holder));
}

/** When in the story. */
export const day = ({ at }) => (/^-?\d+d$/.test(at) ? tr("day {0}", at.slice(0, -1)) : at);
