import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks a server whose key must be pinned: WithHttpClient URL TRUST [PINS]. */
public class WithHttpClient {
    public static void main(String[] words) throws Exception {
        HttpClient client = HttpClient.newBuilder()
            .sslContext(PinningContext.of(words[1], words.length > 2 ? words[2] : ""))
            .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(words[0])).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) throw new IOException("status " + response.statusCode());
    }
}
