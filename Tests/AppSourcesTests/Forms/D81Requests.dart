import 'dart:io';

import 'package:flutter/services.dart';
import 'package:http/io_client.dart';

const base = 'https://api.acme.example/v1';

Future<SecurityContext> _roots() async {
  final root = await rootBundle.load('assets/requests.pem');
  final roots = SecurityContext(withTrustedRoots: false);
  roots.setTrustedCertificatesBytes(root.buffer.asUint8List());
  return roots;
}

Future<IOClient> _client() async => IOClient(HttpClient(context: await _roots()));

class Api {
  Future<String> load(String path) async {
    final client = await _client();
    final answer = await client.get(Uri.parse('$base/$path'));
    return answer.body;
  }
}

Future<HttpClient> _twoClient() async {
  final root = await rootBundle.load('assets/two.pem');
  final roots = SecurityContext(withTrustedRoots: false);
  roots.setTrustedCertificatesBytes(root.buffer.asUint8List());
  return HttpClient(context: roots);
}

Future<void> both() async {
  final two = await _twoClient();
  await two.getUrl(Uri.https('first.acme.example', '/v1'));
  await two.getUrl(Uri.https('second.acme.example', '/v1'));
}

Future<HttpClient> _untoldClient() async {
  final root = await rootBundle.load('assets/untold.pem');
  final roots = SecurityContext(withTrustedRoots: false);
  roots.setTrustedCertificatesBytes(root.buffer.asUint8List());
  return HttpClient(context: roots);
}

Future<void> untold(Uri address) async {
  final other = await _untoldClient();
  await other.getUrl(Uri.https('first.acme.example', '/v1'));
  await other.getUrl(address);
}
