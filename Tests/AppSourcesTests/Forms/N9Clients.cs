// SecureHttpClient, ModernHttpClient and OkHttp, called from C#.
class N9Clients
{
    private const string Host = @"secure.acme.example";
    private static readonly string[] Pins = { @"sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" };

    HttpClient Secure(string address)
    {
        var handler = new SecureHttpClientHandler(null);
        handler.AddCertificatePinner(Host, Pins);
        handler.AddCertificatePinner(new Uri(address).Host, Pins);
        return new HttpClient(handler);
    }

    readonly HttpClient modern = new HttpClient(new NativeMessageHandler(false, new TLSConfig()
    {
        Pins = new List<Pin>()
        {
            new Pin()
            {
                Hostname = "modern.acme.example",
                PublicKeys = new[]
                {
                    "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
                    "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
                }
            }
        }
    }));

    OkHttpClient Native()
    {
        var pinner = new CertificatePinner.Builder()
            .Add("native.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
            .Build();
        return new OkHttpClient.Builder().CertificatePinner(pinner).Build();
    }
}
