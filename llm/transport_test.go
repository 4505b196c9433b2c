package llm

import (
	"context"
	"strings"
	"testing"
)

// TestLLMLocalTransportStaysLocal is inside the package because it takes a
// resolver that lies about localhost to see it from outside.
func TestLLMLocalTransportStaysLocal(t *testing.T) {
	transport := newTransport(true)
	if transport.Proxy != nil {
		t.Error("a local endpoint may be asked through a proxy")
	}
	for _, address := range []string{"192.0.2.1:80", "[2001:db8::1]:80", "0.0.0.0:80"} {
		conn, err := transport.DialContext(context.Background(), "tcp", address)
		if err == nil {
			conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "loopback addresses only") {
			t.Errorf("%s: err = %v", address, err)
		}
	}
}
