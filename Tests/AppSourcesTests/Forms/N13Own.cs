class OwnCertificates
{
    public void Connect(string host)
    {
        using (var mine = new X509Certificate2(clientPath, "secret"))
        {
            if (!mine.Thumbprint.Equals("1111111111111111111111111111111111111111")) throw new Exception();
            options.RemoteCertificateValidationCallback += (sender, certificate, chain, errors) =>
            {
                if (errors != SslPolicyErrors.None) return false;
                return string.Equals((certificate as X509Certificate2)?.Thumbprint,
                    "2222222222222222222222222222222222222222", StringComparison.OrdinalIgnoreCase);
            };
            foreach (var stored in store.Certificates)
            {
                if (stored.Thumbprint == "3333333333333333333333333333333333333333") options.ClientCertificates.Add(stored);
            }
        }
    }
}
