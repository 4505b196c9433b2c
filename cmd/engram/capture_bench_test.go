//go:build unix

package main

import (
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
	"engram/secret"
)

// BenchmarkCapture times whole processes of hooks in a session after 70 MB of it were read:
// each after a new line of 2 KB, or after a turn of 200 KB.
func BenchmarkCapture(b *testing.B) {
	c := newCaptured(b)
	var text strings.Builder
	for text.Len() < 70<<20 {
		text.WriteString(c.line(3500))
	}
	c.write(text.String())
	in := memory.CaptureInput{
		CommonDir: filepath.Join(c.repo, ".git"), WorkTree: c.repo, Client: "claude-code", Session: capturedSession, Transcript: c.transcript, Now: time.Now,
	}
	if _, err := memory.Capture(b.Context(), secret.New(), in); err != nil {
		b.Fatal(err)
	}
	m, err := memory.Open(b.Context(), c.repo, secret.New(), &memory.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if err := m.SealSession(b.Context(), capturedSession, math.MaxInt64); err != nil {
		b.Fatal(err)
	}
	_ = m.Close()
	for _, bench := range []struct {
		name, event string
		lines       int // of 2 KB
	}{
		{"engram-version", "", 0}, // what starting engram costs at that hour
		{"prompt", "prompt", 1},
		{"tool", "tool", 1},
		{"tool-with-nothing-new", "tool", 0},
		{"stop", "stop", 100},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				for range bench.lines {
					c.write(c.line(2000))
				}
				cmd := exec.Command(c.engram, "version")
				if bench.event != "" {
					cmd = c.hook(bench.event)
				}
				began := time.Now()
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
			b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
			b.ReportMetric(float64(len(c.journal())), "unsealed-bytes")
		})
	}
}
