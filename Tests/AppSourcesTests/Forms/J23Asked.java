import okhttp3.*;

/** An answer is no client: what is asked of it is no condition of the pins. */
class J23Asked {
  private static final OkHttpClient client = new OkHttpClient.Builder()
      .certificatePinner(new CertificatePinner.Builder().add("asked.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build())
      .build();
  static String ask(Request request) throws Exception {
    Response response = client.newCall(request).execute();
    if (!response.isSuccessful()) throw new IOException("code " + response);
    return response.toString();
  }
}
