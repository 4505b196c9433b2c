package web

import (
	"time"

	"engram/memory"
	"engram/web/internal/gateway"
)

// Rates shows the buckets to tests, which have no time to fill them for real.
type Rates struct{ *rates }

func NewRates(perSecond int) Rates { return Rates{newRates(perSecond)} }

func (r Rates) Take(client string, now time.Time) (time.Duration, bool) {
	return r.rates.take(client, now)
}

func (r Rates) Counted() int { return len(r.full) }

const (
	MaxCounts = maxCounts
	Paced     = paced
	SavedUp   = savedUp
)

// Passages shows what is read of LightRAG.
func Passages(body []byte) ([]memory.Retrieved, error) { return gateway.Passages(body) }
