//go:build unix

package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkAfterCompaction times whole processes of the hook that runs when a client has compacted
// a session of 2 MB, in a memory of 1,000 facts on a branch with 20 changed files. Each runs after
// one of "engram version", which is what starting engram costs at that moment.
func BenchmarkAfterCompaction(b *testing.B) {
	c := newCaptured(b)
	mustRun(b, c.repo, factsAsYAML(1000, 1), c.engram, "import", "-", "--format", "yaml")
	work(b, c.repo)
	mustRun(b, c.repo, nil, c.engram, "query", "timeout")
	var text strings.Builder
	for text.Len() < 2<<20 {
		text.WriteString(c.line(2000))
	}
	c.write(text.String())
	mustRun(b, c.repo, nil, c.engram, "session", "import", c.transcript)
	mustRun(b, c.repo, nil, c.engram, "task", "set", "--session", capturedSession, "--goal", "Ship it")
	c.run("pre-compact")
	mustRun(b, c.repo, nil, c.engram, "session", "seal", capturedSession) // what the hook had no time for
	c.run("pre-compact")
	var took, processor, start []time.Duration
	silent := 0
	for b.Loop() {
		version := exec.Command(c.engram, "version")
		began := time.Now()
		if err := version.Run(); err != nil {
			b.Fatal(err)
		}
		start = append(start, time.Since(began))
		cmd := c.hook("session-start")
		cmd.Stdin = strings.NewReader(`{"session_id":"` + capturedSession + `","transcript_path":"` + c.transcript + `","cwd":"` + c.repo + `","source":"compact"}`)
		var said bytes.Buffer
		cmd.Stdout = &said
		began = time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
		processor = append(processor, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		if !bytes.Contains(said.Bytes(), []byte("[Events T1")) || !bytes.Contains(said.Bytes(), []byte("Ship it")) || !bytes.Contains(said.Bytes(), []byte("end of brief")) {
			silent++
		}
	}
	for name, list := range map[string][]time.Duration{"": took, "processor-": processor, "version-": start} {
		slices.Sort(list)
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		b.ReportMetric(ms(list[len(list)/2]), name+"p50-ms")
		b.ReportMetric(ms(list[len(list)*95/100]), name+"p95-ms")
	}
	b.ReportMetric(float64(silent), "incomplete")
}
