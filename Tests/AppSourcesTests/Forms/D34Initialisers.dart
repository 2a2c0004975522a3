import 'package:dio/dio.dart';
import 'package:http_certificate_pinning/http_certificate_pinning.dart';

class D34Api {
  final Dio _d34;
  D34Api() : _d34 = Dio(BaseOptions(baseUrl: 'https://api.acme.example')) {
    _d34.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']));
  }
}

class D34Check {
  final String address;
  final List<String> prints;
  D34Check() : address = 'https://check.acme.example', prints = const ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'];
  Future<String> check() => HttpCertificatePinning.check(serverURL: address, sha: SHA.SHA256, allowedSHAFingerprints: prints);
}

class D34Own extends CertificatePinningInterceptor {
  D34Own() : super(allowedSHAFingerprints: ['01:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']);
}
