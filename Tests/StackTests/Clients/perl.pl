# Perl's IO::Socket::SSL: one server a line, "port host anchors pin instant", and one answer a line.
use strict;
use warnings;
use IO::Socket::INET;
use IO::Socket::SSL;

$| = 1;
while (my $line = <STDIN>) {
    my ($port, $host, $anchors) = split ' ', $line;
    my $plain = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 20);
    if (!$plain) {
        print "fail $!\n";
        next;
    }
    my $accepted = IO::Socket::SSL->start_SSL(
        $plain,
        Timeout => 20,
        SSL_hostname => $host =~ /[^0-9.]/ ? $host : '',
        SSL_verifycn_name => $host,
        SSL_verifycn_scheme => 'http',
        SSL_ca_file => $anchors,
    );
    my $reason = "$SSL_ERROR" =~ s/\s+/ /gr;
    print $accepted ? "accept\n" : $reason =~ /SSL|hostname/ ? "reject $reason\n" : "fail $reason\n";
}
