class J6Asset {
    void trust(Context context) throws Exception {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        InputStream in = context.getResources().openRawResource(
            context.getResources().getIdentifier("acme_ca", "raw", "com.acme"));
        factory.generateCertificate(in);
    }
}
