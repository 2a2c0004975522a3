// Go's crypto/tls: one server a line, "port host anchors pin instant", and one answer a line.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

func ask(port, host, anchors, instant string) error {
	pem, err := os.ReadFile(anchors)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	config := &tls.Config{RootCAs: roots, ServerName: host}
	if milliseconds, err := strconv.ParseInt(instant, 10, 64); err == nil {
		config.Time = func() time.Time { return time.UnixMilli(milliseconds) }
	}
	dialer := &net.Dialer{Timeout: 20 * time.Second}
	connection, err := tls.DialWithDialer(dialer, "tcp", "127.0.0.1:"+port, config)
	if err != nil {
		return err
	}
	return connection.Close()
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		err := ask(words[0], words[1], words[2], words[4])
		var broken *os.SyscallError
		var network net.Error
		if errors.As(err, &broken) || errors.As(err, &network) && network.Timeout() {
			fmt.Println("fail", strings.ReplaceAll(err.Error(), "\n", " "))
		} else if err != nil {
			fmt.Println("reject", strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("accept")
		}
	}
}
