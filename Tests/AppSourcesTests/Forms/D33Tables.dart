import 'package:flutter_ssl_pinning/flutter_ssl_pinning.dart';

final d33Hosts = ['a.acme.example', 'b.acme.example'];

Future<void> d33() async {
  await SslPinning.initialize(pins: Map.fromEntries(d33Hosts.map((host) => MapEntry(host, ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=']))));
  await SslPinning.initialize(pins: {for (final host in d33Hosts) host: ['sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=']});
}
