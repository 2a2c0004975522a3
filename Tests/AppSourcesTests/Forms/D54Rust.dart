import 'package:rhttp/rhttp.dart';

const rustRoot = '-----BEGIN CERTIFICATE-----MIIB-----END CERTIFICATE-----';

final own = RhttpClient.createSync(
  settings: ClientSettings(
    tlsSettings: TlsSettings(trustRootCertificates: false, trustedRootCertificates: [rustRoot]),
  ),
);

final both = RhttpClient.createSync(
  settings: ClientSettings(tlsSettings: TlsSettings(trustedRootCertificates: [rustRoot])),
);
