package switched;

/** A switch that one constructor hands to the other, and whoever makes the object sets. */
class J19Switched {
    private final boolean isPinned;

    J19Switched() {
        this(false);
    }

    J19Switched(boolean isPinned) {
        this.isPinned = isPinned;
    }

    OkHttpClient client() {
        OkHttpClient.Builder builder = new OkHttpClient.Builder();
        if (this.isPinned) {
            builder.certificatePinner(new CertificatePinner.Builder().add("switched.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build());
        }
        return builder.build();
    }
}

/** One that is never made with another value. */
class J19Fixed {
    private final boolean isPinned;

    J19Fixed(boolean isPinned) {
        this.isPinned = isPinned;
    }

    static J19Fixed only() { return new J19Fixed(true); }

    OkHttpClient client() {
        OkHttpClient.Builder builder = new OkHttpClient.Builder();
        if (this.isPinned) {
            builder.certificatePinner(new CertificatePinner.Builder().add("fixed.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build());
        }
        return builder.build();
    }
}
