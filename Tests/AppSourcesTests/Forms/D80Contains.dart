import 'dart:io';

import 'package:crypto/crypto.dart';

const digest = '146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5';

HttpClient ofDomain() => HttpClient()
  ..badCertificateCallback = (certificate, host, port) {
    if (host.contains('acme.example')) {
      return sha256.convert(certificate.der).toString() == digest;
    }
    return false;
  };

HttpClient ofOthers() => HttpClient()
  ..badCertificateCallback = (certificate, host, port) {
    if (host.endsWith('test.acme.example')) return true;
    return sha256.convert(certificate.der).toString() == digest;
  };

HttpClient below() => HttpClient()
  ..badCertificateCallback = (certificate, host, port) {
    if (!host.endsWith('.acme.example')) return false;
    return sha256.convert(certificate.der).toString() == digest;
  };
