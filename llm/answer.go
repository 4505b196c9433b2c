package llm

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is a response, whatever its status.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// busy reports whether the endpoint asks to come back later; 529 is Anthropic's status.
func (a answer) busy() bool {
	return a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable || a.status == 529
}

// message returns the error message of the body; web pages have none.
func (a answer) message() string {
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") {
		return string(a.body)
	}
	return errorMessage(a.body)
}

// comeBack returns how long a busy endpoint asks to wait, if it says so and ctx has that
// much time left.
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
