import 'dart:io';

enum Zone { live, stage }

/// Pins of each environment are a configuration of their own.
class Zoned {
  final Zone zone;
  final String place;
  Zoned(this.zone, this.place);

  static const _byPlace = {
    'east': ['6666666666666666666666666666666666666666666666666666666666666660'],
    'west': ['7777777777777777777777777777777777777777777777777777777777777770'],
  };

  HttpClient switched() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      final digest = sha256.convert(cert.der).toString();
      switch (zone) {
        case Zone.live:
          return host == 'live.acme.example' && digest == '6666666666666666666666666666666666666666666666666666666666666660';
        case Zone.stage:
          return host == 'stage.acme.example' && digest == '7777777777777777777777777777777777777777777777777777777777777770';
      }
    };

  HttpClient chosen() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      if (host != 'chosen.acme.example') return false;
      final pin = kReleaseMode ? '6666666666666666666666666666666666666666666666666666666666666660' : '7777777777777777777777777777777777777777777777777777777777777770';
      return sha256.convert(cert.der).toString() == pin;
    };

  HttpClient looked() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      if (host != 'looked.acme.example') return false;
      return _byPlace[place]!.contains(sha256.convert(cert.der).toString());
    };
}
