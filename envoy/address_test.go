package envoy

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text   string
		want   address
		lookup bool
	}{
		{"127.0.0.1:9002", address{host: "127.0.0.1", port: 9002}, false},
		{"[::1]:9002", address{host: "::1", port: 9002}, false},
		{"pointsman.svc:9002", address{host: "pointsman.svc", port: 9002}, true},
		{":10000", address{host: "0.0.0.0", port: 10000}, false},
		{"127.0.0.1:0", address{host: "127.0.0.1"}, false},
		{"unix:///run/p.sock", address{socket: "/run/p.sock"}, false},
	}
	for _, test := range tests {
		g := &generator{}
		got := g.address(test.text)
		assert.Equal(t, test.want, got, test.text)
		assert.Equal(t, test.lookup, got.needsLookup(), test.text)
		assert.Empty(t, g.errs, test.text)
	}
}

func TestAddress_WrongOnesAreReported(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "127.0.0.1", "::1:9002", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1"} {
		g := &generator{}
		g.address(text)
		assert.NotEmpty(t, g.errs, text)
	}
}
