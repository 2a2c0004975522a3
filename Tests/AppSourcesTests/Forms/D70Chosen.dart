import 'dart:io';

/// A host that a flag chooses, beside the same pins.
class ChosenHost {
  static const _chosenPins = ['7070707070707070707070707070707070707070707070707070707070707000'];

  HttpClient client(bool isLive) => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      final expected = isLive ? 'live70.acme.example' : 'test70.acme.example';
      return host == expected && _chosenPins.contains(sha256.convert(cert.der).toString());
    };
}

/// The same in the place where it is asked for.
class ChosenThere {
  static const _therePins = ['7070707070707070707070707070707070707070707070707070707070707001'];

  HttpClient client(bool isLive) => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      if (host != (isLive ? 'live71.acme.example' : 'test71.acme.example')) return false;
      return _therePins.contains(sha256.convert(cert.der).toString());
    };
}

class ChosenConfig {
  static String get baseUrl => isLive ? 'https://live72.acme.example/v1' : 'https://test72.acme.example/v1';
  static String get debugHost => 'debug72.acme.example';
}

/// A member of another type, and one for which nothing is compared.
class ChosenMember {
  static const _memberPins = ['7070707070707070707070707070707070707070707070707070707070707002'];

  HttpClient client() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      if (host == ChosenConfig.debugHost) return true;
      if (host != Uri.parse(ChosenConfig.baseUrl).host) return false;
      return _memberPins.contains(sha256.convert(cert.der).toString());
    };
}
