import okhttp3.OkHttpClient;
import okhttp3.Response;

/** Shows certificates to somebody, and judges none. */
class Shown {
    static void show(OkHttpClient client, Request request) throws IOException {
        Response response = client.newCall(request).execute();
        for (Certificate certificate : response.handshake().peerCertificates()) {
            System.out.println(CertificatePinner.pin(certificate));
        }
    }
}

/** Is asked, and refuses nothing. */
class Asked implements X509TrustManager {
    public void checkServerTrusted(X509Certificate[] chain, String type) {
        System.out.println(hex(chain[0].getPublicKey().getEncoded()));
    }
}
