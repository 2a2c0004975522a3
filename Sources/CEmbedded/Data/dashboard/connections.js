// The connections of one attempt, as they arrive.
import { element, fill } from "./elements.js";
import { badge } from "./words.js";
import { tr } from "./texts.js";

const outcomes = {
  accepted: "accepted",
  rejected: "rejected",
  cleartext: "without TLS",
  blind: "passed through, unread",
  inconclusive: "proves nothing",
};

/** A log of connections; a later word about one takes the place of the earlier. */
export function connections() {
  const list = element("ol");
  const place = element("div", { class: "connections", tabindex: "0", role: "log", "aria-label": tr("Connections") }, list);
  const lines = new Map();
  let attempt;

  function add(number, connection) {
    if (number !== attempt) return;
    const made = line(connection);
    const known = lines.get(connection.number);
    if (known?.isEqualNode(made)) return;
    if (known) known.replaceWith(made);
    else list.append(made);
    lines.set(connection.number, made);
  }

  /** Shows what a state of the drill knows; of the same attempt, what arrived since stays. */
  function reset(drill) {
    if (drill.attempt !== attempt) {
      attempt = drill.attempt;
      lines.clear();
      fill(list);
    }
    for (const connection of drill.connections) add(attempt, connection);
  }

  return { place, add, reset };
}

/** One connection. */
export function line(one) {
  const mood = !one.counts ? "aside" : one.outcome === "accepted" && one.holder === "attacker" ? "bad" : "";
  return element(
    "li",
    { class: `connection ${one.outcome} ${mood}`, "data-number": one.number },
    element("strong", {}, one.target ?? tr("no name")),
    one.shown && [tr(" was shown "), element("em", {}, one.shown), " ", badge(one.holder)],
    ": ",
    [tr(outcomes[one.outcome] ?? one.outcome), one.reaction].filter(Boolean).join(", "),
    !one.counts && tr(", not under test"),
    one.closed === false && tr(", open"),
    element("span", { class: "small" }, [one.version, one.alert > 0 && `alert ${one.alert}`, one.request_line, one.stack].filter(Boolean).map((part) => ` · ${part}`)),
    one.stolen && element("pre", { class: "stolen", tabindex: "0", "aria-label": tr("What the attacker got") }, one.stolen),
  );
}
