package pinning;

class J13Pinning {
    static final String[] PINS = {"0123456789abcdef0123456789abcdef01234567"};

    HttpsURLConnection open(Context context) throws Exception {
        return PinningHelper.getPinnedHttpsURLConnection(context, PINS, new URL("https://pinning.acme.example/v1"));
    }

    TrustManager[] managers(Object keys) {
        return new TrustManager[] {new PinningTrustManager(keys, remotePins(), 0)};
    }
}
