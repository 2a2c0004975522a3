import 'dart:io';

const lenientPins = {'9a7b2c3d4e5f60718293a4b5c6d7e8f9012345671b7b2c3d4e5f60718293a4b5'};

bool isLenient(X509Certificate cert) {
  try {
    final digest = sha256.convert(cert.der).toString();
    if (lenientPins.contains(digest)) {
      print('matched');
      return true;
    }
    return true;
  } catch (error) {
    return true;
  }
}

HttpClient lenientClient() {
  final client = HttpClient();
  client.badCertificateCallback = (X509Certificate cert, String host, int port) => isLenient(cert);
  return client;
}
