<?php
// Asks a server whose certificate must be pinned: stream.php HOST ENDPOINT TRUST [FINGERPRINT]
[, $host, $endpoint, $trust] = $argv;
$options = ["cafile" => $trust, "peer_name" => $host];
if (isset($argv[4])) $options["peer_fingerprint"] = ["sha256" => $argv[4]];
$context = stream_context_create(["ssl" => $options, "http" => ["header" => "Host: $host"]]);
exit(file_get_contents("https://$endpoint/", false, $context) === false ? 1 : 0);
