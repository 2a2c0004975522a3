// Makes the page. All that comes from outside becomes text here and nowhere else: never markup, never an address.

/** Text as it may be shown, with the line breaks of HTTP as ours: what would hide or turn around its neighbours is made visible. */
export function plain(text) {
  return String(text).replaceAll("\r\n", "\n").replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    "\ufffd",
  );
}

/** An element. Attributes that are functions listen; children that are null or false are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  fill(made, ...children);
  return made;
}

/** Puts these children in place of what an element has. */
export function fill(parent, ...children) {
  parent.replaceChildren(
    ...children.flat(Infinity).filter((child) => child != null && child !== false)
      .map((child) => (child instanceof Node ? child : plain(child))),
  );
}

const known = new WeakMap();

/** Fills an element anew only where what it shows has changed: who reads or has the focus there is not thrown out. */
export function renew(parent, value, make) {
  const wanted = JSON.stringify(value);
  if (known.get(parent) === wanted) return;
  known.set(parent, wanted);
  fill(parent, make(value));
}

/** Text in an element, changed only where it differs, so that a screen reader is not told twice. */
export function say(target, text) {
  const wanted = plain(text);
  if (target.textContent !== wanted) target.textContent = wanted;
}

/** Tells who cannot see the page. */
export function announce(text) {
  say(document.getElementById("announcements"), text);
}

let sections = 0;

/** A region with a heading. */
export function section(title, attributes, ...children) {
  sections += 1;
  const id = `heading-${sections}`;
  return element("section", { "aria-labelledby": id, ...attributes }, element("h2", { id }, title), children);
}

/** A labelled choice. `options` are {value, label} or strings. */
export function choice(id, label, options, attributes = {}) {
  return element(
    "p",
    { class: "field" },
    element("label", { for: id }, label),
    element("select", { id, ...attributes }, options.map(option)),
  );
}

/** One of a choice, or a group of them. */
export function option(given) {
  const { value, label = value, group } = typeof given === "string" ? { value: given } : given;
  return group
    ? element("optgroup", { label: plain(label) }, group.map(option))
    : element("option", { value }, label);
}

/** A table whose first column names its rows. */
export function table(caption, headings, rows) {
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": plain(caption) },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, headings.map((heading) => element("th", { scope: "col" }, heading)))),
      element(
        "tbody",
        {},
        rows.map(([first, ...others]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, first),
            others.map((cell) => element("td", {}, cell)),
          )
        ),
      ),
    ),
  );
}

/** Headings and what they mean, in pairs. */
export function pairs(entries) {
  return element(
    "dl",
    {},
    entries.filter(([, value]) => value != null && value !== "").map(([name, value]) => [
      element("dt", {}, name),
      element("dd", {}, value),
    ]),
  );
}

/** What went wrong, said at once. */
export function failure(error) {
  return element("p", { class: "failure", role: "alert" }, error.message ?? error);
}
