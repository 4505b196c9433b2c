package llm

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is what came back, whatever its status.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// busy reports whether the endpoint asks for patience; 529 is Anthropic's.
func (a answer) busy() bool {
	return a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable || a.status == 529
}

// message is what the body says went wrong; web pages say nothing.
func (a answer) message() string {
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") {
		return string(a.body)
	}
	return errorMessage(a.body)
}

// comeBack is how long a busy endpoint asks to wait, if it says so, and if that
// is over before the time is.
func (a answer) comeBack(ctx context.Context) (time.Duration, bool) {
	after := a.header.Get("Retry-After")
	if !a.busy() || after == "" {
		return 0, false
	}
	left := time.Duration(0)
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	if seconds, err := strconv.ParseUint(after, 10, 32); err == nil {
		wait := time.Duration(seconds) * time.Second // 32 bits of seconds fit
		return wait, wait < left
	}
	at, err := http.ParseTime(after)
	wait := max(0, time.Until(at))
	return wait, err == nil && wait < left
}
