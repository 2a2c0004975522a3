import 'D63Guards.dart';

void connect(HttpClient client) {
  if (kReleaseMode) {
    attachForeign(client);
    attachTwice(client);
  }
  attachTwice(client);
}
