import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.CertificatePinner;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Pins a server's key with OkHttp's CertificatePinner.
 *
 * <p>For each line of standard input, "host [tab] port [tab] trust file [tab] policy file", it asks the server of that
 * name that listens on loopback, and answers in a line, as `lifetime: trial` has it.
 */
public class Pins {
    private static final Pattern CALL = Pattern.compile("\\.add\\(\"([^\"]+)\"((?:, \"[^\"]+\")*)\\)");
    private static final Pattern LITERAL = Pattern.compile("\"([^\"]+)\"");

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t");
            System.out.println(attempt(words[0], words[1], words[2], words[3]).replace('\n', ' '));
        }
    }

    private static String attempt(String host, String port, String trust, String policy) {
        OkHttpClient client = null;
        try {
            X509TrustManager manager = trustManager(trust);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {manager}, null);
            client = new OkHttpClient.Builder()
                .sslSocketFactory(context.getSocketFactory(), manager)
                .certificatePinner(pinner(policy))
                .dns(name -> Collections.singletonList(InetAddress.getLoopbackAddress()))
                .retryOnConnectionFailure(false)
                .build();
            Request request = new Request.Builder().url("https://" + host + ":" + port + "/").build();
            try (Response response = client.newCall(request).execute()) {
                return response.code() == 200 ? "succeeded" : "failed " + response.code();
            }
        } catch (SSLPeerUnverifiedException error) {
            boolean isPin = error.getMessage().startsWith("Certificate pinning failure!");
            return (isPin ? "refused-pin " : "refused ") + error;
        } catch (SSLException error) {
            return "refused " + error;
        } catch (Exception error) {
            return "failed " + error;
        } finally {
            if (client != null) client.connectionPool().evictAll();
        }
    }

    private static CertificatePinner pinner(String policy) throws Exception {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        Matcher call = CALL.matcher(new String(Files.readAllBytes(Paths.get(policy))));
        while (call.find()) {
            Matcher pin = LITERAL.matcher(call.group(2));
            while (pin.find()) builder.add(call.group(1), pin.group(1));
        }
        return builder.build();
    }

    private static X509TrustManager trustManager(String file) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream input = new FileInputStream(file)) {
            for (Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(input)) {
                store.setCertificateEntry("anchor " + store.size(), certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }
}
