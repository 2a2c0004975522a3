package netty;

/** Netty's trust managers by the digest of a certificate. */
class J17Netty {
    static final String SPARE = "BB11BB11BB11BB11BB11BB11BB11BB11BB11BB11";

    SslContext old() {
        return SslContextBuilder.forClient().trustManager(new FingerprintTrustManagerFactory("AA:11:AA:11:AA:11:AA:11:AA:11:AA:11:AA:11:AA:11:AA:11:AA:11", SPARE)).build();
    }

    SslContext built() {
        TrustManagerFactory factory = FingerprintTrustManagerFactory.builder("SHA-256")
                .fingerprints("CC22CC22CC22CC22CC22CC22CC22CC22CC22CC22CC22CC22CC22CC22CC22CC22").build();
        return SslContextBuilder.forClient().trustManager(factory).build();
    }

    SslContext given(String digest) {
        return SslContextBuilder.forClient().trustManager(new FingerprintTrustManagerFactory(digest)).build();
    }

    Object other(Notes notes) {
        return notes.fingerprints("DD33DD33DD33DD33DD33DD33DD33DD33DD33DD33");
    }
}
