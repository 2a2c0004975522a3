// The lesson: four acts, and what attacker, app and server each see of them, as it happens.
import { element, failure, fill, renew, say } from "./elements.js";
import { ask, events, follow, inPath } from "./server.js";
import { acts, texts } from "./lesson-texts.js";
import { language as chosenLanguage, tag } from "./texts.js";
import { mood } from "./words.js";

export async function show(place, [chosen], signal) {
  const [{ scenarios }, stories] = await Promise.all([ask("GET", "/v1/scenarios"), ask("GET", "/demo.json")]);
  const names = scenarios.map(({ name }) => name);
  let language = chosenLanguage();
  let act = Math.min(Math.max(Number(chosen) || 1, 1), acts.length) - 1;
  let drill;
  // The latest step that was shown to the app, and its connections: they stay to be read when nothing is shown any more.
  let step;
  const connections = new Map();

  const heading = element("h1", { tabindex: "-1" });
  const story = element("p", { class: "about" });
  const list = element("ol", { class: "acts" });
  const title = element("h2");
  const plot = element("p", { class: "plot" });
  const button = element("button", { type: "button", class: "big", click: press });
  const trouble = element("div");
  const panels = element("div", { class: "panels" });
  const moral = element("div", { "aria-live": "polite" });

  const text = () => texts[language];

  let isAsking = false;

  // Who presses twice does not go two steps.
  async function press() {
    if (button.getAttribute("aria-disabled") === "true") return;
    isAsking = true;
    fill(trouble);
    draw();
    try {
      if (drill?.state === "paused") return update(await ask("POST", `/v1/drills/${inPath(drill.id)}/next`, { step: drill.step.number }));
      if (isOver() && act + 1 < acts.length) {
        location.hash = `#lesson/${act + 2}`;
        return;
      }
      drill = step = undefined;
      connections.clear();
      await stop();
      const begun = await ask("POST", "/v1/drills", { scenario: acts[act].scenario, policy: acts[act].policy, example: true, pauses: true });
      sessionStorage.setItem("lesson", begun.id);
      update(begun);
      await refresh();
    } catch (error) {
      fill(trouble, failure(error));
    } finally {
      isAsking = false;
      draw();
    }
  }

  // Only one drill may be about a host. The last one is ended also where the page was read anew in the middle.
  async function stop() {
    const last = sessionStorage.getItem("lesson");
    sessionStorage.removeItem("lesson");
    if (last) await ask("POST", `/v1/drills/${inPath(last)}/stop`).catch(() => {});
  }

  async function refresh() {
    if (drill) update(await ask("GET", `/v1/drills/${inPath(drill.id)}`));
  }

  const isOver = () => drill?.state === "finished" || drill?.state === "stopped";

  function update(latest) {
    if (signal.aborted || (drill && (latest.id !== drill.id || latest.revision < drill.revision))) return;
    drill = latest;
    if (drill.step && drill.shown.length > 0) {
      if (drill.step.number !== step?.number) connections.clear();
      step = { ...drill.step, shown: drill.shown.at(-1), pins: acts[act].policy !== "no-pins" };
    }
    for (const one of drill.connections) connections.set(one.number, one);
    draw();
  }

  function draw() {
    const words = text();
    place.lang = tag(language);
    say(heading, words.title);
    say(story, words.story);
    const told = acts.map(({ story }) => stories[language].lessons[story]);
    renew(list, [language, act], () => told.map((one, index) =>
      element("li", {}, element("a", { href: `#lesson/${index + 1}`, "aria-current": index === act ? "step" : null }, one.title))
    ));
    say(title, `${words.act} ${act + 1}: ${told[act].title}`);
    say(plot, told[act].story);
    const isMissing = !names.includes(acts[act].scenario);
    button.hidden = isMissing;
    if (isMissing) fill(trouble, failure(words.unavailable));
    const isBusy = isAsking || drill && drill.state !== "paused" && !isOver();
    say(button, isBusy ? words.working : drill?.state === "paused" ? words.next : !drill ? words.play : act + 1 < acts.length ? words.nextAct : words.again);
    button.setAttribute("aria-disabled", String(Boolean(isBusy)));
    const result = drill?.results.find(({ number }) => number === step?.number);
    renew(panels, [language, step, [...connections.values()], result], () => step ? sights(words, step, [...connections.values()], result) : []);
    renew(moral, [language, result, isOver()], () =>
      result && [
        element("p", { class: `moral ${mood(result)}` }, words[result.consequence] ?? result.consequence),
        isOver() && element("p", { class: "learnt" }, told[act].learnt),
        drill.reason && failure(drill.reason),
      ]);
  }

  events.addEventListener("language", (event) => {
    event.preventDefault();
    language = chosenLanguage();
    draw();
  }, { signal });
  follow("drill", signal, (latest) => latest.id === drill?.id && update(latest));
  follow("connection", signal, ({ source, attempt, connection }) => {
    if (source !== drill?.id || attempt !== drill.attempt) return;
    connections.set(connection.number, connection);
    draw();
  });
  follow("reset", signal, refresh);
  signal.addEventListener("abort", stop);

  fill(place, heading, story, element("nav", { "aria-label": "Acts" }, list), title, plot, element("p", {}, button), trouble, moral, panels);
  draw();
}

/** What each of the three sees of a step. */
function sights(words, step, connections, result) {
  const isForged = step.shown.holder === "attacker";
  const counted = connections.filter(({ counts }) => counts);
  const accepts = counted.some(({ outcome }) => outcome === "accepted");
  const rejects = !accepts && counted.some(({ outcome, closed }) => outcome === "rejected" || (closed && result));
  const stolen = counted.map(({ stolen }) => stolen).filter(Boolean).join("\n");
  const request = counted.map(({ request_line }) => request_line).filter(Boolean).join("\n");
  const isPinned = step.shown.certificates.some(({ pinned }) => pinned);

  const panel = (title, kind, ...children) => element("section", { class: `sight ${kind}`, "aria-label": title }, element("h3", {}, title), children);
  const certificate = element("ul", { class: "names" }, step.shown.certificates.map((one) => element("li", { class: one.holder }, one.subject)));
  return [
    panel(
      words.attacker,
      isForged && accepts ? "leak" : "",
      !isForged ? element("p", {}, words.encrypted) : accepts
        ? [element("p", {}, words.stolen), element("pre", { class: "stolen", tabindex: "0" }, withPassword(stolen || request))]
        : rejects && element("p", {}, words.nothingStolen),
    ),
    panel(
      words.app,
      accepts ? "accepts" : rejects ? "rejects" : "",
      element("p", { class: "day" }, words.day(step.day)),
      element("p", {}, isForged ? words.shownByAttacker : words.shownByOwner),
      certificate,
      element("p", {}, isPinned ? words.pinned : !step.pins ? words.noPins : words.unpinned),
      accepts && element("p", { class: "decision" }, words.accepts),
      rejects && element("p", { class: "decision" }, words.rejects),
    ),
    panel(
      words.server,
      "",
      isForged
        ? element("p", {}, words.bypassed)
        : accepts
        ? [element("p", {}, words.login), element("pre", { tabindex: "0" }, request)]
        : rejects && element("p", {}, words.noLogin),
    ),
  ];
}

/** The password inside what an attacker read is marked. */
function withPassword(text) {
  return text.split(/(password"?\s*[=:]\s*"?[^"&\s]+)/).map((part, index) => (index % 2 ? element("mark", {}, part) : part));
}
