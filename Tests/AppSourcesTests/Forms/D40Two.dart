import 'package:dio/dio.dart';

void twoClients(Dio first, Dio second) {
  if (kReleaseMode) {
    first.httpClientAdapter = IOHttpClientAdapter(
      validateCertificate: (cert, host, port) =>
          sha256.convert(cert!.der).toString() ==
          '9a7b2c3d4e5f60718293a4b5c6d7e8f9012345671b7b2c3d4e5f60718293a4b5',
    );
  }
  second.httpClientAdapter = IOHttpClientAdapter(
    validateCertificate: (cert, host, port) =>
        sha256.convert(cert!.der).toString() ==
        '0b7b2c3d4e5f60718293a4b5c6d7e8f9012345671b7b2c3d4e5f60718293a4b5',
  );
}
