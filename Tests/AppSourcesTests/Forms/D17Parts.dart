import 'dart:io';
import 'package:dio/dio.dart';
import 'package:http_certificate_pinning/http_certificate_pinning.dart';

class Site {
  final String address;
  final List<String> prints;
  final String token;
  const Site({required this.address, required this.prints, required this.token});
}

final site = Site(address: 'https://api.acme.example', prints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'], token: secret());

Future<void> part() => HttpCertificatePinning.check(serverURL: site.address, sha: SHA.SHA256, allowedSHAFingerprints: site.prints);

Dio moved() {
  final dio = Dio(BaseOptions(baseUrl: 'https://first.acme.example'));
  dio.options.baseUrl = 'https://second.acme.example';
  dio.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']));
  return dio;
}

Dio stays() {
  final own = Dio(BaseOptions(baseUrl: 'https://stays.acme.example'));
  own.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']));
  return own;
}

SecurityContext sometimes() {
  final context = SecurityContext(withTrustedRoots: kDebugMode);
  context.setTrustedCertificates('assets/sometimes.pem');
  return context;
}

SecurityContext both() {
  final other = SecurityContext(withTrustedRoots: true);
  other.setTrustedCertificates('assets/both.pem');
  return other;
}
