import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.CertificatePinner;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp on the JVM: one server a line, "port host anchors pin instant", and one answer a line. */
public final class WithOkHttp {
    private static void ask(String port, String host, String anchors, String pin) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream file = new FileInputStream(anchors)) {
            for (Certificate anchor : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("anchor" + store.size(), anchor);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        X509TrustManager manager = (X509TrustManager) trust.getTrustManagers()[0];
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        OkHttpClient client = new OkHttpClient.Builder()
            .sslSocketFactory(context.getSocketFactory(), manager)
            .certificatePinner(new CertificatePinner.Builder().add(host, "sha256/" + pin).build())
            .dns(name -> Collections.singletonList(InetAddress.getLoopbackAddress()))
            .connectTimeout(20, TimeUnit.SECONDS)
            .readTimeout(20, TimeUnit.SECONDS)
            .retryOnConnectionFailure(false)
            .build();
        try (Response response = client.newCall(new Request.Builder().url("https://" + host + ":" + port).build()).execute()) {
            response.code();
        } finally {
            client.connectionPool().evictAll();
            client.dispatcher().executorService().shutdown();
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            try {
                ask(words[0], words[1], words[2], words[3]);
                System.out.println("accept");
            } catch (Exception error) {
                System.out.println(
                    (error instanceof SSLException ? "reject " : "fail ") + String.valueOf(error.getMessage()).replace('\n', ' '));
            }
            System.out.flush();
        }
    }
}
