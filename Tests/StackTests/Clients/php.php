<?php
// PHP's streams: one server a line, "port host anchors pin instant", and one answer a line.
while (($line = fgets(STDIN)) !== false) {
    [$port, $host, $anchors] = explode(" ", trim($line));
    $context = stream_context_create(["ssl" => ["cafile" => $anchors, "peer_name" => $host]]);
    $said = "";
    set_error_handler(function ($level, $message) use (&$said) { return (bool) ($said .= " " . $message); });
    $flags = STREAM_CLIENT_CONNECT;
    $stream = stream_socket_client("ssl://127.0.0.1:$port", $number, $text, 20, $flags, $context);
    restore_error_handler();
    $said = preg_replace('/\s+/', " ", $said);
    if ($stream) {
        echo "accept\n";
        fclose($stream);
    } else {
        echo preg_match('/SSL operation failed|Peer certificate|peer certificate|Could not verify|Unable to locate/', $said) ? "reject" : "fail", "$said\n";
    }
}
