import 'package:dio/dio.dart';

final first = Dio(BaseOptions(baseUrl: 'https://first.acme.example/v1'))
  ..interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: [firstPin]));
final second = Dio(BaseOptions(baseUrl: 'https://second.acme.example'));

const firstPin = 'AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12';
const appSignature = 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456780';

void setUp() {
  second.httpClientAdapter = IOHttpClientAdapter(
    validateCertificate: (certificate, host, port) =>
        '${sha256.convert(certificate!.der)}' == 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789',
  );
}
