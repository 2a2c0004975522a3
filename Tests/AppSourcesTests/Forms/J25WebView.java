import android.webkit.WebView;

/** Android asks it about certificates alone that the system refuses. */
class Page extends WebViewClient {
    private static final String PIN = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=";

    @Override
    public void onReceivedSslError(WebView view, SslErrorHandler handler, SslError error) {
        byte[] bytes = SslCertificate.saveState(error.getCertificate()).getByteArray("x509-certificate");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(keyOf(bytes));
        if (PIN.equals(Base64.encodeToString(digest, Base64.NO_WRAP))) {
            handler.proceed();
        } else {
            handler.cancel();
        }
    }
}
