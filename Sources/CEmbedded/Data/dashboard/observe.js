// Any app that comes here: what it did with what it was shown, and what it is shown next.
import { choice, element, failure, fill, option, renew, section, table } from "./elements.js";
import { ask, follow, inPath } from "./server.js";
import { chain } from "./chain.js";
import { line } from "./connections.js";
import { badge, day } from "./words.js";
import { tr } from "./texts.js";

export async function show(place, _, signal) {
  const [{ scenarios }, { presentations }] = await Promise.all(
    ["scenarios", "presentations"].map((name) => ask("GET", `/v1/${name}`)),
  );
  const shown = new Map(presentations.map((one) => [one.host, one]));
  const parts = { hosts: element("div"), latest: element("div"), shown: element("div"), trouble: element("div") };

  let isWaiting = false;
  // Connections come in swarms: they are read together.
  function readSoon() {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(async () => {
      isWaiting = false;
      if (!signal.aborted) await read();
    }, 50);
  }

  async function read() {
    try {
      const seen = await ask("GET", "/v1/observations");
      renew(parts.hosts, seen.hosts, hosts);
      renew(parts.latest, seen.connections.slice(-50).reverse(), latest);
    } catch (error) {
      fill(parts.trouble, failure(error));
    }
  }

  const drawShown = () => renew(parts.shown, [...shown.values()], (all) => presented(all, remove));

  async function remove(host) {
    try {
      await ask("DELETE", `/v1/presentations/${inPath(host)}`);
      shown.delete(host);
      drawShown();
    } catch (error) {
      fill(parts.trouble, failure(error));
    }
  }

  async function put(host, scenario, step) {
    try {
      const presentation = await ask("PUT", `/v1/presentations/${inPath(host)}`, { scenario, step });
      fill(parts.trouble);
      shown.set(host, presentation);
      drawShown();
    } catch (error) {
      fill(parts.trouble, failure(error));
    }
  }

  follow("connection", signal, readSoon);
  follow("reset", signal, async () => {
    readSoon();
    const { presentations } = await ask("GET", "/v1/presentations");
    shown.clear();
    for (const one of presentations) shown.set(one.host, one);
    drawShown();
  });
  follow("presentation", signal, (one) => {
    if (one.deleted) shown.delete(one.host);
    else shown.set(one.host, one);
    drawShown();
  });

  fill(
    place,
    element("h1", { tabindex: "-1" }, tr("Observe")),
    element("p", {}, tr("Point any app here, show it a certificate, and see what it does. There is no verdict: for one, play a drill.")),
    section(tr("Show a certificate"), {}, form(scenarios, put), parts.trouble, parts.shown),
    section(tr("Hosts seen"), {}, parts.hosts),
    section(tr("Latest connections"), {}, parts.latest),
  );
  drawShown();
  await read();
}

function form(scenarios, put) {
  const made = element(
    "form",
    {},
    choice("scenario", tr("Scenario"), scenarios.map(({ name }) => name)),
    choice("step", tr("Step"), []),
    element("p", {}, element("button", {}, tr("Show it"))),
  );
  const [scenario, step] = made.querySelectorAll("select");
  const chosen = () => scenarios.find(({ name }) => name === scenario.value);
  const offer = () =>
    fill(
      step,
      (chosen()?.steps ?? []).map((one) =>
        option({ value: one.number, label: tr("{0}: {1} for {2}, {3}", one.number, one.present.join(", "), one.host, day(one)) })
      ),
    );
  scenario.addEventListener("change", offer);
  offer();
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const one = chosen()?.steps.find(({ number }) => String(number) === step.value);
    if (one) put(one.host, chosen().name, one.number);
  });
  return made;
}

function presented(all, remove) {
  return all.map((one) =>
    element(
      "article",
      {},
      element("h3", {}, tr("{0} is shown step {1} of {2}", one.host, one.step.number, one.scenario)),
      element("p", {}, tr("Proxy of the app: "), element("code", {}, `${one.proxy.address}:${one.proxy.port}`)),
      one.shown.map(chain),
      element("p", {}, element("button", { type: "button", click: () => remove(one.host) }, tr("Show nothing to {0}", one.host))),
    )
  );
}

const total = (chains, what) => chains.reduce((sum, one) => sum + one[what], 0);

/** What a host's chains amount to. A rejection is worth nothing without the acceptance beside it. */
export function conclusion({ chains }) {
  const attackers = chains.filter(({ holder }) => holder === "attacker");
  const owners = chains.filter(({ holder }) => holder === "owner");
  const [accepted, rejected] = [total(attackers, "accepted"), total(attackers, "rejected")];
  if (accepted > 0) return ["bad", rejected > 0 ? tr("accepted some attackers' chains") : tr("never pinned: it accepted every attacker's chain")];
  if (rejected === 0) return ["", tr("no attacker's chain was judged")];
  if (total(owners, "accepted") === 0) return ["doubtful", tr("rejected attackers, but the owner too or never: that proves nothing")];
  return ["good", tr("rejected all attackers' chains that it was shown")];
}

function hosts(seen) {
  if (seen.length === 0) return element("p", {}, tr("None yet."));
  return table(
    tr("What each host's visitors did with each chain"),
    [tr("Host"), tr("So far"), tr("Chain"), tr("Accepted"), tr("Rejected"), tr("Proves nothing")],
    seen.flatMap((one) => {
      const [mood, words] = conclusion(one);
      return one.chains.map((each, index) => [
        one.host,
        index === 0 && element("span", { class: mood }, words),
        [each.chain, " ", badge(each.holder)],
        each.accepted,
        each.rejected,
        each.other,
      ]);
    }),
  );
}

function latest(seen) {
  return seen.length === 0 ? element("p", {}, tr("None yet.")) : element("ul", {}, seen.map(({ connection }) => line(connection)));
}
