using System.Net.Http;

/// Callbacks whose client asks one host, and such as may be asked for others.
class N50Hosts
{
    const string Pin = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567";

    async Task Asked()
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin;
        using var client = new HttpClient(handler);
        var text = await client.GetStringAsync("https://asked.acme.example/v1");
        await client.GetAsync($"https://asked.acme.example/v1/{text}");
    }

    async Task Message()
    {
        using (var handler = new HttpClientHandler { ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin })
        using (var client = new HttpClient(handler))
        {
            var request = new HttpRequestMessage(HttpMethod.Get, "https://message.acme.example/");
            await client.SendAsync(request);
        }
    }

    HttpClient Based()
    {
        var handler = new HttpClientHandler { ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin };
        return new HttpClient(handler) { BaseAddress = new Uri("https://based.acme.example/") };
    }

    HttpClient Given()
    {
        var handler = new HttpClientHandler { ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin };
        using HttpClient client = new(handler);
        client.GetAsync("https://others.acme.example/");
        return client;
    }

    void Two()
    {
        var handler = new HttpClientHandler { ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin };
        var client = new HttpClient(handler);
        client.GetAsync("https://one.acme.example/");
        client.GetAsync("https://two.acme.example/");
    }

    void Other(string url)
    {
        var handler = new HttpClientHandler { ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin };
        var client = new HttpClient(handler);
        client.GetAsync(url);
        new HttpClient().GetAsync("https://unpinned.acme.example/");
    }

    void Created()
    {
        var request = (HttpWebRequest)WebRequest.Create("https://created.acme.example/");
        request.ServerCertificateValidationCallback = (s, cert, chain, errors) => cert.GetCertHashString() == Pin;
        request.GetResponse();
    }

    void Stream(TcpClient tcp)
    {
        var stream = new SslStream(tcp.GetStream(), false, OfStream);
        stream.AuthenticateAsClient("stream.acme.example");
    }

    private static bool OfStream(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        return cert.GetCertHashString() == Pin;
    }

    void OfProcess()
    {
        ServicePointManager.ServerCertificateValidationCallback = (s, cert, chain, errors) => cert.GetCertHashString() == Pin;
        new WebClient().DownloadString("https://process.acme.example/");
    }

    void Services(IServiceCollection services)
    {
        services.AddHttpClient("acme", c => { c.BaseAddress = new Uri("https://services.acme.example/"); })
            .ConfigurePrimaryHttpMessageHandler(() => new HttpClientHandler
            {
                ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.GetCertHashString() == Pin,
            });
    }
}

class N50Fields
{
    private readonly HttpClient _client;

    N50Fields()
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567";
        _client = new HttpClient(handler);
    }

    Task<string> First() => _client.GetStringAsync("https://fields.acme.example/a");

    Task Second()
    {
        return _client.PostAsync("https://fields.acme.example/b", null);
    }
}
