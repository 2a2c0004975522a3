const Map<String, List<String>> _pins = <String, List<String>>{
  'map.acme.example': <String>['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='],
};
const _pinnedHosts = ['www.acme.example'];
const _allowedHosts = ['cdn.acme.example'];

HttpClient client() => HttpClient()
  ..badCertificateCallback = (X509Certificate certificate, String host, int port) {
    if (_allowedHosts.contains(host)) return true;
    if (!_pinnedHosts.contains(host)) return false;
    return _pins[host]!.contains(base64.encode(sha256.convert(certificate.der).bytes));
  };
