package pindrill;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One scenario, played to one app. */
public final class Drill {
    /** What may be said of an attempt. */
    public static final List<String> WORDS = List.of("worked", "refused", "refused-pin", "failed", "again", "skip");

    private final PinDrill pindrill;
    private final String path;
    private final Map<Integer, Integer> steps = new HashMap<>();
    private Json state;
    private List<Json> seen = List.of();
    private boolean isSettled;

    Drill(PinDrill pindrill, Json state) {
        this.pindrill = pindrill;
        this.state = state;
        path = "/v1/drills/" + state.text("id");
    }

    /** Has each attempt made, and hears how the app took it. */
    public Drill play(Attempt.Act act) throws Exception {
        try {
            while (isReady()) {
                Attempt attempt = attempt();
                String word = act.make(attempt);
                if (word == null || !WORDS.contains(word)) {
                    throw new PinDrillException(
                            "the app's word was '" + word + "', which is none of: " + String.join(", ", WORDS));
                }
                Map<String, Object> body = new TreeMap<>(Map.of("attempt", attempt.number(), "word", word));
                if (!attempt.note().isEmpty()) body.put("note", attempt.note());
                if (!attempt.code().isEmpty()) body.put("code", attempt.code());
                state = pindrill.ask("POST", path + "/word?wait=30", body);
            }
            if (!state.text("verdict").equals("pass")) {
                seen = pindrill.ask("GET", "/v1/observations", null).list("connections");
            }
        } catch (Throwable error) {
            stop();
            throw error;
        }
        return this;
    }

    /** Fails with all that is known if the verdict is another. */
    public void expect(String verdict) {
        if (!verdict().equals(verdict)) throw new AssertionError(account(verdict));
    }

    /** {@code pass}, {@code fail}, {@code inconclusive}, {@code not-applicable} or {@code skipped}. */
    public String verdict() {
        isSettled = true;
        if (!state.has("verdict")) {
            String reason = state.has("reason") ? state.text("reason") : "play it first";
            throw new PinDrillException("'" + scenario() + "' has no verdict: " + reason);
        }
        return state.text("verdict");
    }

    /** What happened, for people. */
    public String account(String expected) {
        StringBuilder text = new StringBuilder(scenario() + " · " + state.text("policy") + " · " + state.text("client"));
        text.append(": " + state.text("verdict") + " (" + state.text("consequence") + "), expected: " + expected);
        for (Json result : state.list("results")) {
            if (result.text("verdict").equals("pass")) continue;
            text.append("\n  step " + result.text("number") + ": " + result.text("host") + " showed ");
            text.append(String.join(", ", result.texts("shown")) + ", whose key is the " + result.text("holder"));
            text.append("'s: " + result.text("verdict") + " (" + result.text("consequence") + ")");
            text.append("\n    why: " + result.text("grounds"));
            for (Json one : seen) {
                boolean isOurs = one.text("source").equals(state.text("id")) && one.has("attempt");
                if (isOurs && result.number("number") == steps.getOrDefault(one.number("attempt"), 0)) {
                    text.append("\n    the wire saw: " + one.at("connection").text("reaction"));
                }
            }
            if (result.has("word")) text.append("\n    the app's word: " + result.text("word"));
            if (result.has("advice")) text.append("\n    next: " + result.text("advice"));
        }
        if (state.has("findings")) state.texts("findings").forEach(finding -> text.append("\n  " + finding));
        return text.toString();
    }

    String scenario() {
        return state.text("scenario");
    }

    boolean isSettled() {
        return isSettled;
    }

    void stop() {
        isSettled = true;
        try {
            pindrill.ask("POST", path + "/stop", null);
        } catch (PinDrillException error) {
            // What made it stop is what counts.
        }
    }

    /** Waits until an attempt is to be made or the drill is over. */
    private boolean isReady() {
        long end = System.nanoTime() + pindrill.answerSeconds * 1_000_000_000L;
        while (!List.of("waiting", "finished", "stopped").contains(state.text("state"))) {
            long left = (end - System.nanoTime()) / 1_000_000_000L;
            if (left <= 0) {
                throw new PinDrillException("'" + scenario() + "' was still '" + state.text("state") + "' after "
                        + pindrill.answerSeconds + " s");
            }
            String after = "&after=" + state.text("attempt");
            state = pindrill.ask("GET", path + "?wait=" + Math.min(30, left) + after, null);
        }
        return state.text("state").equals("waiting");
    }

    private Attempt attempt() {
        Json step = state.at("step");
        int number = state.number("attempt");
        steps.put(number, step.number("number"));
        String trust = pindrill.read("GET", "/v1/trust/" + PinDrill.quoted(step.text("store")) + "?format=pem", null);
        return new Attempt(number, state, trust);
    }
}
