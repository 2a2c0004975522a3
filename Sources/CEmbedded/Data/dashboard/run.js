// An ordinary run: started, watched and read; and reports, also saved ones.
import { announce, choice, element, failure, fill, say, section, table } from "./elements.js";
import { ask, follow, inPath } from "./server.js";
import { report } from "./report.js";
import { mood, outcome } from "./words.js";
import { tr } from "./texts.js";

export async function show(place, [first, second], signal) {
  if (first === "report") await read(place, second);
  else if (first) await watch(place, first, signal);
  else await choose(place, signal);
}

async function read(place, id) {
  const json = await ask("GET", `/v1/reports/${inPath(id)}`);
  fill(place, element("h1", { tabindex: "-1" }, tr("Report")), report(json));
}

// MARK: Choosing

async function choose(place, signal) {
  const [{ scenarios }, { policies }, { clients }, { runs }, { reports }] = await Promise.all(
    ["scenarios", "policies", "clients", "runs", "reports"].map((name) => ask("GET", `/v1/${name}`)),
  );
  const any = { value: "", label: tr("all that the file would play") };
  const tags = [...new Set(scenarios.flatMap((scenario) => scenario.tags))].sort();
  const form = element(
    "form",
    {},
    choice("scenario", tr("Scenario"), [any, ...scenarios.map(({ name }) => name)]),
    choice("tag", tr("Tag"), [any, ...tags]),
    choice("policy", tr("Policy"), [any, ...policies.map(({ name }) => name)]),
    choice("client", tr("Client"), [any, ...clients.filter(({ kind }) => kind !== "attended").map(({ name }) => name)]),
    element("p", { class: "field" }, element("input", { type: "checkbox", id: "all" }), " ", element("label", { for: "all" }, tr("Also what is not quick"))),
    element("p", {}, element("button", { class: "big" }, tr("Start the run"))),
  );
  const trouble = element("div");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = {};
    for (const [field, key] of [["scenario", "scenarios"], ["tag", "tags"], ["policy", "policies"], ["client", "clients"]]) {
      const { value } = form.querySelector(`#${field}`);
      if (value) body[key] = [value];
    }
    if (form.querySelector("#all").checked) body.all = true;
    try {
      const run = await ask("POST", "/v1/runs", body);
      location.hash = `#run/${inPath(run.id)}`;
    } catch (error) {
      fill(trouble, failure(error));
    }
  });

  const known = new Map(runs.map((run) => [run.id, run]));
  const list = element("div");
  const draw = () => fill(list, known.size === 0 ? element("p", {}, tr("None yet.")) : listed([...known.values()].reverse()));
  follow("run", signal, (run) => {
    known.set(run.id, run);
    draw();
  });
  draw();

  fill(
    place,
    element("h1", { tabindex: "-1" }, tr("Run")),
    element("p", {}, tr("Clients that a command can start, played without anybody's word.")),
    form,
    trouble,
    section(tr("Runs"), {}, list),
    reports.length > 0 && section(tr("Reports"), {}, element(
      "ul",
      {},
      reports.map((one) =>
        element("li", {}, element("a", { href: `#run/report/${inPath(one.id)}` }, `${one.id}, ${one.started}`), tr(": {0} trials, exit status {1}", one.trials, one.exit_status))
      ),
    )),
    saved(),
  );
}

function listed(runs) {
  return table(
    tr("Runs, the latest first"),
    [tr("Run"), tr("State"), tr("Trials"), tr("Exit status")],
    runs.map((run) => [
      element("a", { href: `#run/${inPath(run.id)}` }, run.started),
      run.state,
      tr("{0} of {1}", run.trials.length, run.planned),
      run.exit_status ?? "",
    ]),
  );
}

const largest = 256 * 1024 * 1024;

// A file is read in the browser alone.
function saved() {
  const opened = element("div");
  const input = element("input", { type: "file", id: "saved", accept: ".json,application/json" });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      if (file.size > largest) throw new Error("The file is larger than 256 MB.");
      const heading = element("h3", { tabindex: "-1" }, file.name);
      fill(opened, heading, report(JSON.parse(await file.text())));
      heading.focus();
    } catch (error) {
      const reason = error instanceof SyntaxError ? "it is not JSON" : error.message;
      fill(opened, failure(`'${file.name}' cannot be shown: ${reason}. Choose what 'pindrill run --report json=PATH' wrote.`));
    }
  });
  return section(
    tr("Open a saved report"),
    {},
    element("p", { class: "field" }, element("label", { for: "saved" }, tr("A report in JSON; it stays in this browser")), input),
    opened,
  );
}

// MARK: Watching

async function watch(place, id, signal) {
  const path = `/v1/runs/${inPath(id)}`;
  let run = await ask("GET", path);
  const state = element("p", { class: "state" });
  const bar = element("progress", { "aria-label": tr("Trials finished") });
  const trouble = element("div");
  const ending = element("div");
  const rows = table(tr("Trials, as they finish"), [tr("Scenario"), tr("Policy"), tr("Client"), tr("Outcome")], []);
  const body = rows.querySelector("tbody");
  const stop = element("button", { type: "button", click: end }, tr("Stop the run"));

  async function end() {
    try {
      update(await ask("POST", `${path}/stop`));
    } catch (error) {
      fill(trouble, failure(error));
    }
  }

  function update(latest) {
    if (signal.aborted || latest.revision < run.revision) return;
    const wasRunning = run.state === "running";
    run = latest;
    draw();
    if (wasRunning && run.state !== "running") announce(state.textContent);
  }

  function draw() {
    const isRunning = run.state === "running";
    const bad = run.trials.filter((trial) => mood(trial) === "bad").length;
    say(
      state,
      tr("{0} of {1} trials, {2} bad; {3}.", run.trials.length, run.planned, bad, run.exit_status == null ? run.state : tr("{0}, exit status {1}", run.state, run.exit_status)),
    );
    bar.max = Math.max(run.planned, 1);
    bar.value = run.trials.length;
    bar.hidden = stop.hidden = !isRunning;
    for (const trial of run.trials.slice(body.rows.length)) {
      body.append(element(
        "tr",
        {},
        element("th", { scope: "row" }, trial.scenario),
        [trial.policy, trial.client, outcome(trial)].map((cell) => element("td", {}, cell)),
      ));
    }
    fill(ending, run.exit_status != null && element("a", { href: `#run/report/${inPath(id)}` }, tr("Read the report")));
  }

  follow("run", signal, (latest) => latest.id === id && update(latest));
  follow("reset", signal, async () => update(await ask("GET", path)));
  fill(place, element("h1", { tabindex: "-1" }, `Run of ${run.started}`), state, bar, element("p", {}, stop), trouble, ending, rows);
  draw();
}
