// A chain as a tree: the root, and below each certificate the one that it signed.
import { element } from "./elements.js";
import { badge } from "./words.js";
import { tr } from "./texts.js";

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
      one.pinned && [" ", element("span", { class: "badge pin" }, tr("pinned"))],
    ),
    element(
      "p",
      { class: "small" },
      tr("{0} · {1} · key {2} · valid {3} to {4}", tr(roles[one.role] ?? one.role), tr(one.sent ? "sent" : "not sent"), one.key, date(one.not_before), date(one.not_after)),
    ),
    element("p", { class: "small" }, tr("key's SHA-256 "), element("code", {}, one.spki_sha256)),
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
      tr(shown.holder === "attacker" ? "an attacker has its key" : "the owner of the service has its key"),
    ),
    shown.certificates.length > 0 && tree(shown.certificates),
    shown.extras?.length > 0 && [element("p", {}, tr("Sent besides:")), element("ul", {}, shown.extras.map((one) => element("li", {}, certificate(one))))],
  );
}
