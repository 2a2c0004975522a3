import 'dart:convert';
import 'dart:io';
import 'package:crypto/crypto.dart';

// The lines that are taken away from a certificate are no pins.
HttpClient client() {
  final client = HttpClient();
  client.badCertificateCallback = (X509Certificate certificate, String host, int port) =>
      host == 'api.acme.example' && spki(certificate) == 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
  return client;
}

String spki(X509Certificate certificate) {
  final text = certificate.pem
      .replaceAll('-----BEGIN CERTIFICATE-----', '')
      .replaceAll('-----END CERTIFICATE-----', '');
  return base64Encode(sha256.convert(base64Decode(text)).bytes);
}
