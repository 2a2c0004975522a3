import 'dart:io';

/// Conditions under which objects of its type are made.
class MadeForRelease extends HttpOverrides {
  MadeForRelease({this.before});
  final HttpOverrides? before;

  static void install() {
    if (kDebugMode) return;
    HttpOverrides.global = MadeForRelease(before: HttpOverrides.current);
  }

  @override
  HttpClient createHttpClient(SecurityContext? context) =>
      super.createHttpClient(context)..badCertificateCallback = _matches;

  bool _matches(X509Certificate cert, String host, int port) =>
      host == 'release.acme.example' && sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660';
}

/// One is made in any build.
class MadeAnyway extends HttpOverrides {
  static final usual = MadeAnyway();

  static void install() {
    if (kReleaseMode) HttpOverrides.global = MadeAnyway();
  }

  @override
  HttpClient createHttpClient(SecurityContext? context) =>
      super.createHttpClient(context)
        ..badCertificateCallback = (cert, host, port) =>
            host == 'anyway.acme.example' && sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660';
}
