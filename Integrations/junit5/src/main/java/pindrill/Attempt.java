package pindrill;

/** What an app needs to know to make one attempt. Whether it should be refused is not said. */
public final class Attempt {
    /** Makes an attempt. */
    @FunctionalInterface
    public interface Act {
        /** Says how the app took it: one of {@link Drill#WORDS}. */
        String make(Attempt attempt) throws Exception;
    }

    private final int number;
    private final Json state;
    private final String trust;
    private String note = "";
    private String code = "";

    Attempt(int number, Json state, String trust) {
        this.number = number;
        this.state = state;
        this.trust = trust;
    }

    public int number() {
        return number;
    }

    /** What to do. */
    public String ask() {
        return state.text("ask");
    }

    /** Whose server the app believes to reach. */
    public String host() {
        return state.at("step").text("host");
    }

    public String url() {
        return "https://" + host() + "/";
    }

    /** The proxy to go through; who is led to its address and port needs no proxy. */
    public String proxy() {
        return state.at("proxy").text("url");
    }

    public String address() {
        return state.at("proxy").text("address");
    }

    public int port() {
        return state.at("proxy").number("port");
    }

    /** The roots that the device trusts, in PEM. */
    public String trust() {
        return trust;
    }

    /** Adds a remark to the report. */
    public void note(String text) {
        note = text == null ? "" : text;
    }

    String note() {
        return note;
    }

    /** Says what the app shows, where the answers of a scenario carry {@code {code}}: {@code worked} counts with it alone. */
    public void code(String text) {
        code = text == null ? "" : text;
    }

    String code() {
        return code;
    }
}
