import java.net.URL;
import javax.net.ssl.HttpsURLConnection;

/** Asks a server whose key must be pinned: WithHttpsURLConnection URL TRUST [PINS]. */
public class WithHttpsURLConnection {
    public static void main(String[] words) throws Exception {
        HttpsURLConnection connection = (HttpsURLConnection) new URL(words[0]).openConnection();
        connection.setSSLSocketFactory(PinningContext.of(words[1], words.length > 2 ? words[2] : "").getSocketFactory());
        connection.getInputStream().readAllBytes();
    }
}
