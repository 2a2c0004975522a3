# Asks a server with Perl's IO::Socket::SSL: io-socket-ssl.pl HOST ENDPOINT TRUST [FINGERPRINT]
use strict;
use warnings;
use IO::Socket::SSL;

my ($host, $endpoint, $trust, $fingerprint) = @ARGV;
my $socket = IO::Socket::SSL->new(
    PeerAddr => $endpoint,
    SSL_hostname => $host,
    SSL_verifycn_name => $host,
    SSL_verifycn_scheme => 'http',
    SSL_ca_file => $trust,
    $fingerprint ? (SSL_fingerprint => "sha256\$$fingerprint") : (),
) or die "$SSL_ERROR\n";
print $socket "GET / HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n";
my $status = <$socket> // '';
die $status unless $status =~ m{^HTTP/1.1 200 };
