// A chain as a tree: the root, and below each certificate the one that it signed.
import { element } from "./elements.js";
import { badge } from "./words.js";

const roles = { root: "root authority", intermediate: "authority", leaf: "the server's certificate" };

function date(instant) {
  return instant.slice(0, 10);
}

function certificate(one) {
  return element(
    "div",
    { class: `certificate ${one.holder}${one.pinned ? " pinned" : ""}` },
    element(
      "p",
      {},
      element("strong", {}, one.subject),
      " ",
      badge(one.holder),
      one.pinned && [" ", element("span", { class: "badge pin" }, "pinned")],
    ),
    element(
      "p",
      { class: "small" },
      `${roles[one.role] ?? one.role} · ${one.sent ? "sent" : "not sent"} · key ${one.key} · valid ${date(one.not_before)} to ${date(one.not_after)}`,
    ),
    element("p", { class: "small" }, "key's SHA-256 ", element("code", {}, one.spki_sha256)),
  );
}

function tree([first, ...others]) {
  return element("ul", {}, element("li", {}, certificate(first), others.length > 0 && tree(others)));
}

/** One chain that is shown. */
export function chain(shown) {
  return element(
    "div",
    { class: `chain ${shown.holder}` },
    element(
      "h3",
      {},
      `${shown.chain}: `,
      shown.holder === "attacker" ? "an attacker has its key" : "the owner of the service has its key",
    ),
    shown.certificates.length > 0 && tree(shown.certificates),
    shown.extras?.length > 0 && [element("p", {}, "Sent besides:"), element("ul", {}, shown.extras.map((one) => element("li", {}, certificate(one))))],
  );
}
