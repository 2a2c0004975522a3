// Which view is shown: the part of the address behind '#' says it.
import { announce, element, failure, fill, say } from "./elements.js";
import { ask, events, listen } from "./server.js";
import { language, languages, tag, tr } from "./texts.js";

// Each view is read when it is first shown.
const views = {
  drill: () => import("./drill.js"),
  observe: () => import("./observe.js"),
  run: () => import("./run.js"),
  lesson: () => import("./lesson.js"),
};

const main = document.getElementById("main");
let leaving = new AbortController();
let isLive;

/** What stands around the views. */
function frame() {
  document.documentElement.lang = tag(language());
  for (const link of document.querySelectorAll("nav a")) say(link, tr(link.hash.slice(1).replace(/^./, (letter) => letter.toUpperCase())));
  say(switcher.previousElementSibling, tr("Language"));
  if (isLive !== undefined) say(line, tr(isLive ? "Live" : "Not connected"));
}

const switcher = document.getElementById("language");
fill(switcher, Object.entries(languages).map(([value, label]) => element("option", { value, lang: tag(value) }, label)));
switcher.value = language();
switcher.addEventListener("change", () => {
  localStorage.setItem("language", switcher.value);
  frame();
  // The lesson goes on in another language where it is.
  if (!events.dispatchEvent(new CustomEvent("language", { cancelable: true }))) return;
  isStaying = true;
  show();
});
let isStaying = false;

async function show() {
  const [name, ...rest] = location.hash.slice(1).split("/").map(decoded);
  const view = Object.hasOwn(views, name) ? name : "drill";
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const module = await views[view]();
    const place = element("div", { class: view });
    await module.show(place, rest, signal);
    if (signal.aborted) return;
    fill(main, place);
    // What happened between reading a state and following it was told to nobody.
    events.dispatchEvent(new CustomEvent("reset"));
  } catch (error) {
    if (signal.aborted) return;
    if (error.status === 401) return lock();
    fill(main, element("h1", { tabindex: "-1" }, "PinDrill"), failure(error));
  }
  const heading = main.querySelector("h1");
  document.title = `${heading?.textContent ?? "PinDrill"} · PinDrill`;
  // A reader of the screen begins at the new view; the first one begins at the top anyway.
  if (shown && !isStaying) heading?.focus();
  shown = true;
  isStaying = false;
}

let shown = false;

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function lock() {
  leaving.abort();
  fill(
    main,
    element("h1", { tabindex: "-1" }, tr("A code is needed")),
    element("p", {}, tr("'pindrill serve' prints an address with a code that works once. Open that, or write the code here.")),
    element(
      "form",
      { action: "/enter", method: "get" },
      element(
        "p",
        { class: "field" },
        element("label", { for: "code" }, tr("Code")),
        element("input", { id: "code", name: "code", required: true, autocomplete: "off" }),
      ),
      element("p", {}, element("button", {}, tr("Enter"))),
    ),
  );
  document.title = `${tr("A code is needed")} · PinDrill`;
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
const line = document.getElementById("line");
events.addEventListener("line", ({ detail }) => {
  isLive = detail;
  frame();
  line.className = detail ? "line live" : "line";
  if (!detail) announce(tr("The server does not answer. The page tries again."));
});
events.addEventListener("locked", lock);
addEventListener("hashchange", show);
frame();

try {
  // The shortest answer of those that need a code.
  await ask("GET", "/v1/drills");
  listen();
} catch {
  // The view says so.
}
show();
