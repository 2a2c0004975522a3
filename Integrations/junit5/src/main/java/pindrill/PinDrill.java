package pindrill;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The PinDrill that {@code PINDRILL_URL} and {@code PINDRILL_TOKEN} or {@code PINDRILL_TOKEN_FILE} name, or one of its own,
 * {@code program serve file}, from before the first test of a class to after its last.
 */
public final class PinDrill implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
    private final String file;
    private final List<Drill> drills = new ArrayList<>();
    private final HttpClient client = HttpClient.newBuilder()
            // Never through a proxy that the system names.
            .proxy(HttpClient.Builder.NO_PROXY)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private String program = "pindrill";
    private String url = System.getenv("PINDRILL_URL");
    private String tokenFile = System.getenv("PINDRILL_TOKEN_FILE");
    private String token;
    private long startSeconds = 60;
    private Process process;
    private Thread ending;
    long answerSeconds = 60;

    private PinDrill(String file) {
        this.file = file;
    }

    /** With a scenario file, for one of its own. */
    public static PinDrill serving(String file) {
        return new PinDrill(file);
    }

    /** One that is there. */
    public static PinDrill at(String url, String tokenFile) {
        PinDrill pindrill = new PinDrill(null);
        pindrill.url = url;
        pindrill.tokenFile = tokenFile;
        return pindrill;
    }

    public PinDrill program(String path) {
        program = path;
        return this;
    }

    /** How long it may take to start. */
    public PinDrill startSeconds(long seconds) {
        startSeconds = seconds;
        return this;
    }

    /** How long PinDrill may work between attempts. */
    public PinDrill answerSeconds(long seconds) {
        answerSeconds = seconds;
        return this;
    }

    /** Finds or starts it. As an extension it does so by itself. */
    public PinDrill open() throws Exception {
        if (url == null || url.isEmpty()) {
            start();
        } else if (url.matches("https?://.+")) {
            token = foundToken();
        } else {
            throw new PinDrillException("'" + url + "' is no address");
        }
        return this;
    }

    /** Begins a drill of a file that has one policy and one attended client. */
    public Drill drill(String scenario) {
        return drill(scenario, null, null);
    }

    /** Begins a drill of a file that has one attended client. */
    public Drill drill(String scenario, String policy) {
        return drill(scenario, policy, null);
    }

    /** Begins a drill. */
    public Drill drill(String scenario, String policy, String client) {
        Map<String, Object> body = new TreeMap<>(Map.of("scenario", scenario));
        if (policy != null) body.put("policy", policy);
        if (client != null) body.put("client", client);
        Drill drill = new Drill(this, ask("POST", "/v1/drills?wait=30", body));
        drills.add(drill);
        return drill;
    }

    /** What a policy pins, as digests in base64, for an app that is told its pins. */
    public List<String> pins(String policy) {
        for (Json found : ask("GET", "/v1/policies", null).list("policies")) {
            if (found.text("name").equals(policy)) return found.has("pins") ? found.texts("pins") : List.of();
        }
        throw new PinDrillException("there is no policy '" + policy + "'");
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        open();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    /** Ends what was started. A drill whose verdict nobody has asked for is an error: its test would prove nothing. */
    @Override
    public void close() {
        String forgotten = null;
        for (Drill drill : drills) {
            if (drill.isSettled()) continue;
            forgotten = forgotten == null ? drill.scenario() : forgotten;
            drill.stop();
        }
        drills.clear();
        if (process != null) {
            end(process);
            process = null;
            Runtime.getRuntime().removeShutdownHook(ending);
        }
        if (forgotten != null) throw new PinDrillException("nobody asked for the verdict of '" + forgotten + "'");
    }

    Json ask(String method, String path, Map<String, Object> body) {
        return Json.parse(read(method, path, body));
    }

    String read(String method, String path, Map<String, Object> body) {
        if (token == null) throw new PinDrillException("this PinDrill is not open: is its field static, with @RegisterExtension?");
        HttpRequest request = HttpRequest.newBuilder(URI.create(url.replaceAll("/$", "") + path))
                .method(method, body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(Json.written(body)))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30 + answerSeconds))
                .build();
        HttpResponse<String> answer;
        try {
            answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException error) {
            String why = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
            throw new PinDrillException("no PinDrill answers at " + url + ": " + why + "; is 'pindrill serve' running?");
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new PinDrillException("interrupted while PinDrill was asked");
        }
        if (answer.statusCode() / 100 != 2) throw new PinDrillException(sentence(answer.statusCode(), answer.body()));
        return answer.body();
    }

    static String quoted(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String sentence(int status, String body) {
        try {
            Json error = Json.parse(body);
            if (!error.has("message")) return "PinDrill answered with status " + status;
            String message = error.text("message");
            boolean helps = error.has("nearest") && !message.contains(error.text("nearest"));
            return helps ? message + "; did you mean '" + error.text("nearest") + "'?" : message;
        } catch (PinDrillException error) {
            return "PinDrill answered with status " + status;
        }
    }

    private String foundToken() {
        String found = System.getenv("PINDRILL_TOKEN");
        if (tokenFile != null && !tokenFile.isEmpty()) {
            try {
                found = Files.readString(Path.of(tokenFile)).trim();
            } catch (IOException error) {
                throw new PinDrillException("the token file '" + tokenFile + "' cannot be read");
            }
        }
        if (found == null || found.isEmpty()) {
            throw new PinDrillException("an address without a token: set PINDRILL_TOKEN, or PINDRILL_TOKEN_FILE");
        }
        return found;
    }

    private void start() throws Exception {
        List<String> words = new ArrayList<>(List.of(program, "serve"));
        if (file != null) words.add(file);
        words.addAll(List.of("--port", "0", "--proxy-port", "0", "--json"));
        File errors = File.createTempFile("pindrill", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(words)
                    .redirectInput(ProcessBuilder.Redirect.from(new File(nothing())))
                    .redirectError(errors);
            builder.environment().keySet().removeIf(name -> name.startsWith("PINDRILL_"));
            Process started;
            try {
                started = builder.start();
            } catch (IOException error) {
                throw new PinDrillException("'" + program + "' could not be started: " + error.getMessage());
            }
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
            String why = "ended";
            try {
                String line = CompletableFuture.supplyAsync(() -> lineOf(output)).get(startSeconds, TimeUnit.SECONDS);
                if (!line.isEmpty()) {
                    Json place = Json.parse(line);
                    url = place.text("url");
                    token = place.text("token");
                    process = started;
                    ending = new Thread(started::destroy);
                    Runtime.getRuntime().addShutdownHook(ending);
                    return;
                }
            } catch (TimeoutException | ExecutionException error) {
                why = "was not ready after " + startSeconds + " s";
            }
            end(started);
            String said = Files.readString(errors.toPath()).trim();
            throw new PinDrillException("'" + program + " serve' " + why + (said.isEmpty() ? "" : ": " + said));
        } finally {
            errors.delete();
        }
    }

    private static String lineOf(BufferedReader output) {
        try {
            String line = output.readLine();
            return line == null ? "" : line;
        } catch (IOException error) {
            return "";
        }
    }

    private static String nothing() {
        return File.separatorChar == '\\' ? "NUL" : "/dev/null";
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (process.waitFor(10, TimeUnit.SECONDS)) return;
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
