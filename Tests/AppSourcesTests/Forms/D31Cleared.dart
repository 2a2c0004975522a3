import 'package:dio/dio.dart';
import 'package:http_certificate_pinning/http_certificate_pinning.dart';

Dio d31Cleared() {
  final dio = Dio(BaseOptions(baseUrl: 'https://cleared.acme.example'));
  dio.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']));
  dio.interceptors.clear();
  return dio;
}

class D31Given {
  final Dio _given;
  D31Given(this._given) {
    _given.options.baseUrl = 'https://given.acme.example';
    _given.interceptors.addAll([LogInterceptor(), CertificatePinningInterceptor(allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'])]);
  }
}

Dio d31Either(bool isDebug) {
  final either = Dio();
  if (isDebug) {
    either.options.baseUrl = 'https://dev.acme.example';
  } else {
    either.options.baseUrl = 'https://live.acme.example';
  }
  either.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']));
  return either;
}
