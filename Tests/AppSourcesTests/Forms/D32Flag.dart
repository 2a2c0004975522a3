import 'dart:io';
import 'package:crypto/crypto.dart';

bool d32AllowsAny = false;
const d32Pin = 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789';

HttpClient d32Client() {
  final client = HttpClient();
  client.badCertificateCallback = (X509Certificate cert, String host, int port) {
    if (d32AllowsAny) return true;
    return sha256.convert(cert.der).toString() == d32Pin;
  };
  return client;
}
