import 'package:flutter_ssl_pinning/flutter_ssl_pinning.dart';

void main() {
  SslPinning.initialize(pins: {"api.acme.example": ["sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]});
}
