// Pins a server's key as Go programs do, in one of the forms of the dialect `callback`.
//
// For each line of standard input, "host <tab> port <tab> trust file <tab> policy file", it asks the server of that name
// that listens on loopback, and answers in a line, as `lifetime: trial` has it.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
)

var errPinMismatch = errors.New("no pin matches")

var formOf = regexp.MustCompile(`form\W+([\w-]+)`)
var pinsOf = regexp.MustCompile(`sha256/([A-Za-z0-9+/=]+)`)

type pinSet map[string]bool

func (pins pinSet) check(certificates ...*x509.Certificate) error {
	for _, certificate := range certificates {
		digest := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
		if pins[base64.StdEncoding.EncodeToString(digest[:])] {
			return nil
		}
	}
	return errPinMismatch
}

func configure(config *tls.Config, form string, pins pinSet) {
	leaf := func(_ [][]byte, verified [][]*x509.Certificate) error { return pins.check(verified[0][0]) }
	anyRaw := func(raw [][]byte, _ [][]*x509.Certificate) error {
		for _, der := range raw {
			certificate, err := x509.ParseCertificate(der)
			if err == nil && pins.check(certificate) == nil {
				return nil
			}
		}
		return errPinMismatch
	}
	switch form {
	case "go-verify-connection":
		config.VerifyConnection = func(state tls.ConnectionState) error {
			for _, path := range state.VerifiedChains {
				if pins.check(path...) == nil {
					return nil
				}
			}
			return errPinMismatch
		}
	case "go-leaf":
		config.VerifyPeerCertificate = leaf
	case "go-raw-any":
		config.VerifyPeerCertificate = anyRaw
	case "go-raw-any-skip":
		config.InsecureSkipVerify = true
		config.VerifyPeerCertificate = anyRaw
	case "go-leaf-skip":
		config.InsecureSkipVerify = true
		config.VerifyPeerCertificate = func(raw [][]byte, _ [][]*x509.Certificate) error {
			leaf, err := x509.ParseCertificate(raw[0])
			if err != nil {
				return err
			}
			return pins.check(leaf)
		}
	default:
		panic("no form " + form)
	}
}

func attempt(host, port, trust, policy string) string {
	roots, err := os.ReadFile(trust)
	if err != nil {
		return "failed " + err.Error()
	}
	text, err := os.ReadFile(policy)
	if err != nil {
		return "failed " + err.Error()
	}
	pins := pinSet{}
	for _, match := range pinsOf.FindAllStringSubmatch(string(text), -1) {
		pins[match[1]] = true
	}
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(roots)
	configure(config, formOf.FindStringSubmatch(string(text))[1], pins)
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig:   config,
		DisableKeepAlives: true,
		DialContext: func(context context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(context, network, "127.0.0.1:"+port)
		},
	}}
	response, err := client.Get("https://" + host + ":" + port + "/")
	switch {
	case errors.Is(err, errPinMismatch):
		return "refused-pin " + err.Error()
	case err != nil && strings.Contains(err.Error(), "x509: "), err != nil && strings.Contains(err.Error(), "tls: "):
		return "refused " + err.Error()
	case err != nil:
		return "failed " + err.Error()
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "failed " + response.Status
	}
	return "succeeded"
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Split(lines.Text(), "\t")
		fmt.Println(strings.ReplaceAll(attempt(words[0], words[1], words[2], words[3]), "\n", " "))
	}
}
