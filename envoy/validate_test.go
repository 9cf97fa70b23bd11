package envoy_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/envoybin"
)

// placeholder is the folder of credentials and authorities in the golden files.
const placeholder = "/etc/secrets"

func TestYAML_ARealEnvoyTakesEveryGoldenFile(t *testing.T) {
	t.Parallel()
	binary, err := envoybin.Path(t.Context())
	require.NoError(t, err)
	secrets := writeSecrets(t)
	for _, in := range goldenInputs(t) {
		t.Run(filepath.Base(in), func(t *testing.T) {
			t.Parallel()
			text := bytes.ReplaceAll(generate(t, in), []byte(placeholder), []byte(secrets))
			text = bytes.ReplaceAll(text, []byte("/etc/ssl/certs/ca-certificates.crt"), []byte(filepath.Join(secrets, "ca.pem")))
			file := filepath.Join(t.TempDir(), "envoy.yaml")
			require.NoError(t, os.WriteFile(file, text, 0o600))

			output, err := exec.CommandContext(t.Context(), binary, "--mode", "validate", "-c", file).CombinedOutput()
			require.NoError(t, err, "%s", output)
			assert.NotContains(t, string(output), "deprecated")
		})
	}
}

// writeSecrets makes the files that the golden files name.
func writeSecrets(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"by-host": []byte("secret\n"),
		"by-sni":  []byte("secret"),
		"ca.pem":  authority(t),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return dir
}

func authority(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
}
