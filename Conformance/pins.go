// Asks a server whose key must be pinned, with Go's net/http and nothing beside the standard library.
//
//	pins connection|certificate|http2 URL TRUST [PINS]
//
// VerifyConnection is called for every connection; VerifyPeerCertificate is not where a session is resumed. Both come
// after the ordinary checks, and both see the chains that those have built. The third form is the first with HTTP/2, which net/http leaves out where it is given
// a configuration of TLS, unless it is told to.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"log"
	"net/http"
	"os"
	"strings"
)

func check(chains [][]*x509.Certificate, pins string) error {
	for _, chain := range chains {
		for _, certificate := range chain {
			hash := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
			if strings.Contains(pins, "sha256//"+base64.StdEncoding.EncodeToString(hash[:])) {
				return nil
			}
		}
	}
	return errors.New("pin mismatch")
}

func main() {
	form, url, trust, pins := os.Args[1], os.Args[2], os.Args[3], strings.Join(os.Args[4:], "")
	roots, err := os.ReadFile(trust)
	if err != nil {
		log.Fatal(err)
	}
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(roots)
	if pins != "" && form != "certificate" {
		config.VerifyConnection = func(state tls.ConnectionState) error { return check(state.VerifiedChains, pins) }
	}
	if pins != "" && form == "certificate" {
		config.VerifyPeerCertificate = func(_ [][]byte, chains [][]*x509.Certificate) error { return check(chains, pins) }
	}
	client := http.Client{Transport: &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		TLSClientConfig:   config,
		ForceAttemptHTTP2: form == "http2",
	}}
	response, err := client.Get(url)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
}
