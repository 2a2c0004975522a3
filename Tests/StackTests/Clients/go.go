// Go's crypto/tls: one server a line, "port host anchors", and one answer a line.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

func ask(port, host, anchors string) error {
	pem, err := os.ReadFile(anchors)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	connection, err := tls.DialWithDialer(dialer, "tcp", "127.0.0.1:"+port, &tls.Config{RootCAs: roots, ServerName: host})
	if err != nil {
		return err
	}
	return connection.Close()
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if err := ask(words[0], words[1], words[2]); err != nil {
			fmt.Println("reject", strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("accept")
		}
	}
}
