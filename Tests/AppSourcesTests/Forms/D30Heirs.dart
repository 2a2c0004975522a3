import 'package:dio/dio.dart';
import 'package:http_certificate_pinning/http_certificate_pinning.dart' as pinning;
import 'D30Pins.dart' as pins show d30Host;

abstract class D30Site {
  String get address;
  List<String> get prints;
  Future<String> asked() => pinning.HttpCertificatePinning.check(serverURL: address, sha: pinning.SHA.SHA256, allowedSHAFingerprints: prints);
}

class D30Live extends D30Site {
  String get address => 'https://live.acme.example';
  List<String> get prints => ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'];
}

class D30Stage extends D30Site {
  String get address { return 'https://stage.acme.example'; }
  List<String> get prints { return ['01:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']; }
}

Future<String> d30Prefixed() => pinning.HttpCertificatePinning.check(serverURL: pins.d30Host, sha: pinning.SHA.SHA256, allowedSHAFingerprints: List.generate(1, (i) => 'AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'));

class D30Config {
  static D30Flavour flavour = D30Flavour.dev;
  static String get address {
    switch (flavour) {
      case D30Flavour.dev:
        return 'https://dev.acme.example';
      case D30Flavour.prod:
        return 'https://prod.acme.example';
    }
  }

  static List<String> get prints => flavour == D30Flavour.prod ? ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'] : ['01:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'];
}

Future<String> d30Flavoured() => pinning.HttpCertificatePinning.check(serverURL: D30Config.address, sha: pinning.SHA.SHA256, allowedSHAFingerprints: D30Config.prints);

class D30Client {
  final String address;
  final List<String> prints;
  D30Client({required this.address, required this.prints});
  Future<String> made() => pinning.HttpCertificatePinning.check(serverURL: address, sha: pinning.SHA.SHA256, allowedSHAFingerprints: prints);
}

final d30First = D30Client(address: 'https://first.acme.example', prints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']);
final d30Second = D30Client(address: 'https://second.acme.example', prints: ['01:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']);
