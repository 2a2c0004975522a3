import java.io.IOException;
import java.net.URI;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import okhttp3.CertificatePinner;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Asks a server whose key must be pinned: WithOkHttp URL TRUST [PINS]. */
public class WithOkHttp {
    public static void main(String[] words) throws Exception {
        X509ExtendedTrustManager manager = Trust.manager(words[1]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {manager}, null);
        CertificatePinner.Builder pinner = new CertificatePinner.Builder();
        if (words.length > 2) {
            for (String pin : words[2].split(";")) {
                pinner.add(URI.create(words[0]).getHost(), pin.replace("sha256//", "sha256/"));
            }
        }
        OkHttpClient client = new OkHttpClient.Builder()
            .sslSocketFactory(context.getSocketFactory(), manager)
            .certificatePinner(pinner.build())
            .build();
        Request request = new Request.Builder().url(words[0]).build();
        try (Response response = client.newCall(request).execute()) {
            if (!response.isSuccessful()) throw new IOException("status " + response.code());
        } finally {
            client.connectionPool().evictAll(); // or a connection of HTTP/2 keeps the program from ending
        }
    }
}
