package integration

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// ofTheProvider is the credential of the cluster that has one.
const ofTheProvider = "sk-of-the-provider"

// variousStack has what the shared one has not.
var variousStack = common{setup: func(string) (Setup, error) {
	ours, err := newAuthority()
	if err != nil {
		return Setup{}, err
	}
	strangers, err := newAuthority()
	if err != nil {
		return Setup{}, err
	}
	setup := Setup{
		File: "testdata/various.yaml",
		Envoy: map[string][]byte{
			"/etc/secrets/authority.pem": inPEM("CERTIFICATE", ours.certificate.Raw),
			"/etc/secrets/credential":    []byte(ofTheProvider + "\n"),
		},
		Certificates: map[string][]byte{},
	}
	for cluster, issue := range map[string]struct {
		by   authority
		name string
	}{
		"secured":  {ours, "api.example.com"},
		"misnamed": {ours, "api.example.com"},
		"unsigned": {strangers, "unsigned"},
	} {
		if setup.Certificates[cluster], err = issue.by.issue(issue.name); err != nil {
			return Setup{}, err
		}
	}
	return setup, nil
}}

func various(t *testing.T) *Stack {
	t.Helper()
	return variousStack.get(t)
}

// An authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority() (authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, err
	}
	template := valid(&x509.Certificate{
		Subject: pkix.Name{CommonName: "pointsman tests"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return authority{}, err
	}
	certificate, err := x509.ParseCertificate(der)
	return authority{certificate, key}, err
}

// issue makes a certificate for a server, followed by its key.
func (a authority) issue(name string) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := valid(&x509.Certificate{
		Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	return append(inPEM("CERTIFICATE", der), inPEM("PRIVATE KEY", secret)...), err
}

// valid gives a certificate a serial number, and some hours around now.
func valid(template *x509.Certificate) *x509.Certificate {
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	return template
}

func inPEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
