// Talks to the control plane: one request at a time for who asks, and one stream of events for all.

/** What the server refused, in its words. */
export class Refusal extends Error {
  constructor(status, { code = "unreadable", message = `The server answered with status ${status}.`, nearest } = {}) {
    super(nearest ? `${message} Was '${nearest}' meant?` : message);
    this.status = status;
    this.code = code;
  }
}

/** Asks the server; the answer is JSON, or text if it says so. */
export async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      cache: "no-store",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, { code: "gone", message: "The server does not answer. Is 'pindrill serve' at work?" });
  }
  const isJSON = (response.headers.get("Content-Type") ?? "").includes("json");
  const answer = response.status === 204 ? null : isJSON ? await response.json().catch(() => ({})) : await response.text();
  if (response.ok) return answer;
  const refusal = new Refusal(response.status, isJSON ? answer : undefined);
  if (response.status === 401) events.dispatchEvent(new CustomEvent("locked"));
  throw refusal;
}

/** A name inside a path. */
export const inPath = encodeURIComponent;

/**
 * What happens: 'drill', 'run', 'presentation', 'connection' with the state as detail, and 'reset' when all states are to
 * be read anew. Besides: 'line' with true or false, and 'locked' when a code is needed.
 */
export const events = new EventTarget();

/** Follows one of these until the signal says to stop. What the server refuses meanwhile is told by the next request. */
export function follow(kind, signal, act) {
  events.addEventListener(kind, async ({ detail }) => {
    try {
      await act(detail);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }, { signal });
}

let stream;

/** Opens the stream. The browser opens it again when it breaks off, and says what arrived last. */
export function listen() {
  stream?.close();
  stream = new EventSource("/v1/events");
  stream.addEventListener("open", () => {
    tell("line", true);
    // What came between reading a state and this moment is told by nobody; another server's states are others.
    tell("reset");
  });
  stream.addEventListener("error", () => {
    tell("line", false);
    if (stream.readyState === EventSource.CLOSED) setTimeout(listenAgain, 2000, stream);
  });
  for (const kind of ["drill", "run", "presentation", "connection", "reset"]) {
    stream.addEventListener(kind, (event) => tell(kind, event.data ? JSON.parse(event.data) : null));
  }
}

// The browser gives up after an answer that is no stream, as of a server that is just being started.
async function listenAgain(broken) {
  if (broken !== stream) return;
  try {
    await ask("GET", "/v1/drills");
    listen();
  } catch (error) {
    if (error.status !== 401) setTimeout(listenAgain, 2000, broken);
  }
}

function tell(kind, detail = null) {
  events.dispatchEvent(new CustomEvent(kind, { detail }));
}
