// A drill: chosen, played with the tester's word, and read.
import { announce, choice, element, failure, fill, option, pairs, renew, say, section, table } from "./elements.js";
import { ask, follow, inPath } from "./server.js";
import { chain } from "./chain.js";
import { connections } from "./connections.js";
import { qrCode } from "./qr-code.js";
import { result } from "./result.js";
import { timeline } from "./timeline.js";
import { badge, day, mood, outcome, sentence } from "./words.js";
import { tr } from "./texts.js";

export async function show(place, [id], signal) {
  await (id ? play(place, id, signal) : choose(place, signal));
}

// MARK: Choosing

async function choose(place, signal) {
  const [{ scenarios }, { policies }, { clients }, { drills }] = await Promise.all(
    ["scenarios", "policies", "clients", "drills"].map((name) => ask("GET", `/v1/${name}`)),
  );
  const attended = clients.filter((client) => client.kind === "attended");
  const hosts = [...new Set(scenarios.flatMap((scenario) => scenario.hosts))].sort();
  const form = element(
    "form",
    {},
    choice("host", tr("Host under test"), hosts),
    choice("scenario", tr("Scenario"), []),
    element("p", { id: "about", class: "about" }),
    choice("policy", tr("Pin policy of the app"), []),
    choice("client", tr("App"), attended.map(({ name }) => name)),
    element(
      "p",
      { class: "field" },
      element("input", { type: "checkbox", id: "pauses", checked: true }),
      " ",
      element("label", { for: "pauses" }, tr("Pause after each step, to read what came of it")),
    ),
    element("p", {}, element("button", { class: "big" }, tr("Start the drill"))),
    element("div", { id: "refused" }),
  );
  const field = (name) => form.querySelector(`#${name}`);
  const allowed = (names, name) => !names || names.includes(name);

  function offerScenarios() {
    const groups = Map.groupBy(
      scenarios.filter(({ hosts }) => hosts.includes(field("host").value)),
      ({ quick, tags }) => (quick ? "quick" : tags[0] ?? "others"),
    );
    fill(
      field("scenario"),
      [...groups].map(([group, members]) => option({ label: group, group: members.map(({ name }) => name) })),
    );
    offerPolicies();
  }

  function offerPolicies() {
    const scenario = scenarios.find(({ name }) => name === field("scenario").value);
    const client = attended.find(({ name }) => name === field("client").value);
    const chosen = field("policy").value;
    const offered = policies.map(({ name }) => name)
      .filter((name) => allowed(scenario?.policies, name) && allowed(client?.policies, name));
    fill(field("policy"), offered.map(option));
    if (offered.includes(chosen)) field("policy").value = chosen;
    fill(field("about"), [scenario?.about, scenario?.hurts && tr("Hurts: {0}", scenario.hurts)].filter(Boolean).join(" "));
  }

  field("host").addEventListener("change", offerScenarios);
  field("scenario").addEventListener("change", offerPolicies);
  field("client").addEventListener("change", offerPolicies);
  offerScenarios();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const drill = await ask("POST", "/v1/drills", {
        scenario: field("scenario").value,
        policy: field("policy").value,
        client: field("client").value,
        pauses: field("pauses").checked,
      });
      location.hash = `#drill/${inPath(drill.id)}`;
    } catch (error) {
      fill(field("refused"), failure(error));
    }
  });

  const known = element("div");
  const list = new Map(drills.map((drill) => [drill.id, drill]));
  const tell = () => fill(known, list.size === 0 ? element("p", {}, tr("None yet.")) : listed([...list.values()].reverse()));
  follow("drill", signal, (drill) => {
    list.set(drill.id, drill);
    tell();
  });
  follow("reset", signal, async () => {
    for (const drill of (await ask("GET", "/v1/drills")).drills) list.set(drill.id, drill);
    tell();
  });
  tell();
  fill(
    place,
    element("h1", { tabindex: "-1" }, tr("Drill")),
    element("p", {}, tr("An app on a device is shown good and bad certificates. You say how it took them.")),
    attended.length > 0 ? form : element("p", {}, tr("The file has no attended client, so there is nothing to drill.")),
    section(tr("Drills"), {}, known),
  );
}

function listed(drills) {
  return table(
    tr("Drills, the latest first"),
    [tr("Scenario"), tr("Policy"), tr("App"), tr("State")],
    drills.map((drill) => [
      element("a", { href: `#drill/${inPath(drill.id)}` }, drill.scenario),
      drill.policy,
      drill.client,
      drill.verdict ? outcome(drill) : drill.state,
    ]),
  );
}

// MARK: Playing

const words = [
  ["worked", "w", "Worked", "It showed what it shows when all is well."],
  ["refused", "r", "Refused", "It said that the server was not acceptable."],
  ["refused-pin", "p", "Refused: the pin", "The same, and it named its pin."],
  ["failed", "f", "Failed", "Something else went wrong."],
  ["again", "a", "Again", "Another attempt; what was seen stays."],
  ["back", "b", "Back", "The step before, again."],
  ["skip", "s", "Skip", "On without a word."],
];

const states = {
  starting: "The drill is being prepared.",
  waiting: "Do what is asked, and then say how it went.",
  between: "Working. Nothing is shown to the app now.",
  paused: "The step is finished. Nothing is shown to the app now.",
  finished: "The drill is finished.",
  stopped: "The drill was stopped. It has no verdict.",
};

async function play(place, id, signal) {
  const path = `/v1/drills/${inPath(id)}`;
  const [{ scenarios }, first, trust] = await Promise.all([
    ask("GET", "/v1/scenarios"),
    ask("GET", path),
    ask("GET", "/v1/trust").catch(() => ({ stores: [] })),
  ]);
  const scenario = scenarios.find(({ name }) => name === first.scenario);
  let drill = first;
  let lastStep;

  const parts = {
    step: element("p", { class: "step" }),
    state: element("p", { class: "state" }),
    trouble: element("div", { "aria-live": "assertive" }),
    timeline: element("div"),
    ask: element("p", { class: "ask" }),
    shown: element("div"),
    results: element("div"),
    device: element("div"),
    ending: element("div"),
  };
  const buttons = words.map(([word, key, label, meaning]) =>
    element(
      "button",
      { type: "button", class: `word ${word}`, "data-word": word, "aria-keyshortcuts": key, title: tr(meaning), click: () => give(word) },
      tr(label),
      " ",
      element("kbd", { "aria-hidden": "true" }, key),
    )
  );
  const next = element("button", { type: "button", class: "big next", click: goOn }, tr("Next step"));
  const stop = element("button", { type: "button", class: "quiet", click: () => act("stop") }, tr("Stop the drill"));
  const note = element("input", { id: "note", maxlength: "4096", autocomplete: "off" });
  const noteForm = element(
    "form",
    { class: "note", submit: addNote },
    element("p", { class: "field" }, element("label", { for: "note" }, tr("Note for the report"), " ", element("kbd", { "aria-hidden": "true" }, "n")), note),
    element("button", {}, tr("Add")),
  );
  const notes = element("ul", { class: "notes" });
  const code = element("input", { id: "code", maxlength: "100", autocomplete: "off", inputmode: "numeric" });
  const codeField = element("p", { class: "field" }, element("label", { for: "code" }, tr("Code that the app shows, for \u201cworked\u201d")), code);
  const usesKeys = element("input", { type: "checkbox", id: "keys", checked: localStorage.getItem("keys") !== "off" });
  usesKeys.addEventListener("change", () => localStorage.setItem("keys", usesKeys.checked ? "on" : "off"));
  const foot = element("p", { class: "field small" }, usesKeys, " ", element("label", { for: "keys" }, tr("Single keys give words")), " ", stop);
  const answer = element("div", { class: "answer", role: "group", "aria-label": tr("How did it go?") }, buttons);
  const live = connections();

  async function act(what, body = undefined) {
    try {
      update(await ask("POST", `${path}/${what}`, body));
      fill(parts.trouble);
    } catch (error) {
      fill(parts.trouble, failure(error));
      if (error.status === 409) refresh();
    }
  }

  // Every word names its attempt, so a word that comes twice or late does no harm.
  function give(word) {
    if (drill.state !== "waiting") return;
    if (word !== "worked" || !drill.code) return act("word", { attempt: drill.attempt, word });
    if (!code.value.trim()) return code.focus();
    return act("word", { attempt: drill.attempt, word, code: code.value.trim() });
  }

  function goOn() {
    if (drill.state === "paused") return act("next", { step: drill.step.number });
  }

  async function addNote(event) {
    event.preventDefault();
    if (!note.value.trim()) return;
    await act("note", { text: note.value.trim() });
    if (!parts.trouble.hasChildNodes()) note.value = "";
  }

  async function refresh() {
    try {
      update(await ask("GET", path));
    } catch (error) {
      fill(parts.trouble, failure(error));
    }
  }

  function update(latest) {
    if (signal.aborted || latest.revision < drill.revision) return;
    drill = latest;
    draw();
  }

  function draw() {
    const { step, state } = drill;
    const isOver = state === "finished" || state === "stopped";
    const title = step && !isOver
      ? tr("Step {0} of {1}, {2}", step.number, step.count, day(step)) + (step.control ? `: ${tr("the app's own server, to see that the app works")}` : "")
      : "";
    say(parts.step, title);
    say(parts.state, [tr(states[state]), isOver ? drill.reason : ""].filter(Boolean).join(" "));
    renew(parts.timeline, { step, state, results: drill.results, shown: drill.shown }, (drill) => timeline(drill, scenario));
    say(parts.ask, state === "waiting" ? drill.ask : "");
    for (const button of buttons) button.setAttribute("aria-disabled", String(state !== "waiting"));
    codeField.hidden = !drill.code || state !== "waiting";
    if (codeField.hidden) code.value = "";
    answer.hidden = isOver || state === "paused";
    noteForm.hidden = isOver;
    foot.hidden = isOver;
    const isElsewhere = document.activeElement.closest("a, input, select, summary, pre, .scroll");
    const mustMove = next.hidden && state === "paused" && !isElsewhere;
    const mustMoveBack = !next.hidden && state !== "paused" && document.activeElement === next;
    next.hidden = state !== "paused";
    say(next, step && step.number === step.count ? tr("Finish") : tr("Next step"));
    // Who answers by keyboard finds the next thing to press under the fingers.
    if (mustMove) next.focus();
    if (mustMoveBack) buttons[0].focus();
    renew(notes, drill.notes, (notes) => notes.map((text) => element("li", {}, text)));
    renew(parts.shown, isOver ? [[]] : [drill.shown, step, drill.explanation], ([shown, step, text]) => presentation(shown, step, text));
    live.reset(drill);
    renew(parts.results, drill.results, (results) => (results.length === 0 ? element("p", {}, tr("None yet.")) : results.map((one) => result(one))));
    renew(parts.device, [drill.proxy, step?.host, step?.store], ([proxy, host, store]) => device(proxy, host, trust, store));
    renew(parts.ending, isOver && drill, (drill) => drill && ending(drill));
    tellNews(title);
  }

  function tellNews(title) {
    const news = `${title} ${drill.state} ${drill.attempt}`;
    if (news === lastStep) return;
    lastStep = news;
    const last = drill.results.at(-1);
    const whose = drill.shown.map(({ holder }) => (holder === "attacker" ? tr("An attacker's certificate is shown.") : tr("The owner's certificate is shown.")));
    announce(
      drill.verdict
        ? `${tr("The drill is finished.")} ${sentence(drill)}`
        : drill.state === "waiting"
        ? `${title}. ${whose.at(-1) ?? ""} ${drill.ask}`
        : drill.state === "paused" && last
        ? `${sentence(last)} ${tr(states.paused)}`
        : tr(states[drill.state]),
    );
  }

  document.addEventListener("keydown", (event) => {
    if (!usesKeys.checked || event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    const word = words.find(([, key]) => key === event.key.toLowerCase());
    if (word) give(word[0]);
    else if (event.key === "n" && !noteForm.hidden) note.focus();
    else return;
    event.preventDefault();
  }, { signal });
  follow("drill", signal, (latest) => latest.id === id && update(latest));
  follow("connection", signal, ({ source, attempt, connection }) => source === id && live.add(attempt, connection));
  follow("reset", signal, refresh);

  fill(
    place,
    element("h1", { tabindex: "-1" }, `${first.scenario} · ${first.policy} · ${first.client}`),
    scenario?.about && element("p", { class: "about" }, scenario.about),
    parts.ending,
    parts.timeline,
    section(
      tr("Now"),
      { class: "now" },
      parts.step,
      parts.state,
      parts.ask,
      codeField,
      answer,
      next,
      parts.trouble,
      noteForm,
      notes,
      foot,
    ),
    element("details", { open: first.attempt <= 1 }, element("summary", {}, tr("The device: its proxy, and the roots that it must trust")), parts.device),
    element(
      "div",
      { class: "columns" },
      section(tr("What is shown"), {}, parts.shown),
      section(tr("Connections of this attempt"), {}, live.place),
    ),
    section(tr("What came of each step"), {}, parts.results),
  );
  draw();
}

function presentation(shown, step, explanation) {
  return [
    shown.length === 0 && element("p", {}, tr("Nothing is shown to the app now.")),
    step && shown.length > 0 && element("p", {}, tr("For {0}. The device trusts what '{1}' has.", step.host, step.store)),
    shown.length > 1 && element("p", {}, tr("The first connection gets the first of these, later ones the last.")),
    shown.map(chain),
    step?.particulars.length > 0 && element("ul", {}, step.particulars.map((text) => element("li", {}, text))),
    step?.note && element("p", {}, tr("Note: {0}", step.note)),
    explanation && element("details", {}, element("summary", {}, tr("As text")), element("pre", { tabindex: "0" }, explanation)),
  ];
}

function ending(drill) {
  const path = `/v1/reports/${inPath(drill.id)}`;
  return element(
    "div",
    { class: `ending ${drill.verdict ? mood(drill) : "doubtful"}` },
    drill.verdict
      ? element("p", { class: "verdict" }, outcome(drill), " ", sentence(drill))
      : element("p", {}, tr(states.stopped)),
    drill.findings?.length > 0 && [element("p", {}, tr("To mend in the file:")), element("ul", {}, drill.findings.map((text) => element("li", {}, text)))],
    drill.verdict && element(
      "p",
      {},
      element("a", { href: `#run/report/${inPath(drill.id)}` }, tr("Read the report")),
      " · ",
      ["json", "junit", "text"].map((format, index) => [
        index > 0 && ", ",
        element("a", { href: `${path}?format=${format}`, download: `${drill.id}.${{ json: "json", junit: "xml", text: "txt" }[format]}` }, format),
      ]),
    ),
    element("p", {}, element("a", { href: "#drill" }, tr("Another drill"))),
  );
}

function device(proxy, host, { stores }, storeName) {
  const store = stores.find(({ name }) => name === storeName);
  return [
    proxy && element("p", {}, tr("Proxy of the device: "), element("code", {}, `${proxy.address}:${proxy.port}`), host && tr(", or point {0} there.", host)),
    proxy && element("p", {}, tr("The device gets the roots at {0} through its proxy.", "http://pindrill.test/")),
    proxy?.qr && [
      element("p", {}, tr("Without the proxy: open this address on the device, or scan it. "), element("code", {}, `${proxy.url}/`)),
      qrCode(proxy.qr, tr("QR code of {0}", `${proxy.url}/`)),
    ],
    ["0.0.0.0", "::"].includes(proxy?.address) && element("p", {}, tr("{0} is every address of this machine: give the device the one in its network.", proxy.address)),
    proxy?.address === "127.0.0.1" && element("p", {}, tr("Only this machine has this address. A phone needs another: start PinDrill with --listen.")),
    store && element(
      "p",
      {},
      tr("The device must trust these roots, and no others of PinDrill's. Compare the fingerprints with what it shows. All in one file: "),
      file(store, "pem"),
      tr(", for Apple's devices: "),
      file(store, "mobileconfig"),
    ),
    store?.roots.map((root) =>
      pairs([
        [tr("Root"), [root.subject, " ", badge(root.holder), " ", file(store, "der", root)]],
        [tr("Installed by"), { system: tr("the system"), app: tr("the app"), user: tr("its user") }[root.origin] ?? root.origin],
        ["SHA-256", element("code", {}, root.sha256.match(/../g).join(":").toUpperCase())],
      ])
    ),
  ];
}

function file(store, format, root) {
  const query = `format=${format}${root ? `&root=${inPath(root.name)}` : ""}`;
  const ending = { pem: "pem", der: "crt", mobileconfig: "mobileconfig" }[format];
  const name = `${root?.name ?? store.name}.${ending}`;
  return element("a", { href: `/v1/trust/${inPath(store.name)}?${query}`, download: name }, name);
}
