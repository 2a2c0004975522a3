import 'dart:io';

/// A table that one function fills, and another empties.
class GivenLater {
  final Map<String, List<String>> _laterPins = {};

  void load() {
    _laterPins.clear();
    _laterPins['later.acme.example'] = ['6666666666666666666666666666666666666666666666666666666666666660'];
  }

  void take(Map<String, List<String>> others) {
    _laterPins.clear();
    _laterPins.addAll(others);
  }

  HttpClient client() => HttpClient()
    ..badCertificateCallback = (cert, host, port) =>
        _laterPins[host]?.contains(sha256.convert(cert.der).toString()) ?? false;
}

/// One that the same function empties and fills.
class GivenOnce {
  final Map<String, List<String>> _oncePins = {};

  void load() {
    _oncePins.clear();
    _oncePins['once.acme.example'] = ['6666666666666666666666666666666666666666666666666666666666666660'];
  }

  HttpClient client() => HttpClient()
    ..badCertificateCallback = (cert, host, port) =>
        _oncePins[host]?.contains(sha256.convert(cert.der).toString()) ?? false;
}
