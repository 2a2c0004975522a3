class J5Resources extends Activity {
    private static final String URL = "https://api.acme.example/v1";

    private static String hostOf(String url) {
        return Uri.parse(url).getHost();
    }

    CertificatePinner pinner() {
        CertificatePinner.Builder b = new CertificatePinner.Builder();
        b.add(hostOf(URL), getResources().getString(R.string.api_pin));
        return b.build();
    }
}
