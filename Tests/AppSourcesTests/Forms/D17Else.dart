import 'package:http_certificate_pinning/http_certificate_pinning.dart';

class Held {
  static const prints = ['AB:9A:AB:9A:AB:9A:AB:9A:AB:9A:AB:9A:AB:9A:AB:9A:AB:9A:AB:9A'];
  static String text = '';
}

void elsewhere(Dio client, bool isPinned) {
  if (isPinned) {
    client.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: Held.prints));
  } else {
    (client.httpClientAdapter as IOHttpClientAdapter).createHttpClient = () {
      final inner = HttpClient();
      inner.badCertificateCallback = (certificate, host, port) => certificate.pem == Held.text;
      return inner;
    };
  }
}
