#!/bin/sh
# Says in a line which version of a client is installed: version.sh CLIENT
programs=$(dirname "$0")/../.build/clients
python=$programs/venv/bin/python
case $1 in
curl) curl --version | awk 'NR == 1 { print $2 ", " $5 }' ;;
wget) wget --version | awk 'NR == 1 { v = $3 } /^\+/ { for (i = 1; i <= NF; i++) if ($i ~ /^\+ssl/) v = v ", " substr($i, 6) } END { print v }' ;;
git) git --version | awk '{ print $3 }' ;;
openssl) openssl version | awk '{ print $2 }' ;;
gnutls-cli) gnutls-cli --version | awk 'NR == 1 { print $2 }' ;;
lftp) lftp --version | awk 'NR == 1 { print $4 }' ;;
msmtp) msmtp --version | awk 'NR == 1 { print $3 }' ;;
psql) psql --version | awk '{ print $3 }' ;;
chromium) chromium --version | awk '{ print $2 }' ;;
go) go version | awk '{ print $3 }' ;;
node) node --version ;;
undici) NODE_PATH=/usr/share/nodejs node -p '`${require("undici/package.json").version}, Node ${process.version}`' ;;
java) java -version 2>&1 | awk -F '"' 'NR == 1 { print $2 }' ;;
okhttp) echo "$(dpkg-query -W -f '${Version}' libokhttp-java | sed 's/-.*//'), Java $("$0" java)" ;;
httpx-http2) "$python" -c 'import importlib.metadata as m; print(m.version("h2"))' | sed "s/^/$("$0" httpx), h2 /" ;;
pycurl) "$python" -c 'import pycurl; print(pycurl.version)' | awk '{ sub("PycURL/", ""); print $1 ", " $2 ", " $3 }' ;;
pycurl-gnutls) /usr/bin/python3 -c 'import pycurl; print(pycurl.version)' | awk '{ sub("PycURL/", ""); print $1 ", " $2 ", " $3 }' ;;
ruby) ruby -e 'require "openssl"; puts "#{RUBY_VERSION}, #{OpenSSL::OPENSSL_LIBRARY_VERSION[/OpenSSL [0-9.]*/]}"' ;;
php) php -r 'echo PHP_VERSION, ", ", implode(" ", array_slice(explode(" ", OPENSSL_VERSION_TEXT), 0, 2)), "\n";' ;;
perl) perl -MIO::Socket::SSL -e 'print "$IO::Socket::SSL::VERSION\n"' ;;
swift-nio-ssl | async-http-client)
    awk -v name="\"$1\"" '$3 == name "," { found = 1 } found && $1 == "\"version\"" { gsub("\"", "", $3); print $3; exit }' \
        "$(dirname "$0")/swift-clients/Package.resolved" ;;
swift) swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/Swift \1/p' ;;
*) "$python" -c "import sys, importlib.metadata as m, ssl; print(m.version('$1') + ', ' + ' '.join(ssl.OPENSSL_VERSION.split()[:2]))" ;;
esac
