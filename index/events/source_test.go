package events_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"engram/index/events"
)

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// memory is a source in memory. The tip of a session is a generation, which grows when
// the session is rewritten, and how many of its events there are.
type memory struct {
	mu         sync.Mutex
	sessions   map[string][]events.Doc
	tips       map[string]string
	generation int
}

func newMemory() *memory {
	return &memory{sessions: make(map[string][]events.Doc), tips: make(map[string]string)}
}

func tip(generation, n int) string { return fmt.Sprintf("%d.%d", generation, n) }

func parseTip(s string) (generation, n int) {
	a, b, _ := strings.Cut(s, ".")
	generation, _ = strconv.Atoi(a)
	n, _ = strconv.Atoi(b)
	return generation, n
}

// add appends events to a session.
func (m *memory) add(session string, docs ...events.Doc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	generation, n := parseTip(m.tips[session])
	if n == 0 {
		m.generation++
		generation = m.generation
	}
	m.sessions[session] = append(m.sessions[session], docs...)
	m.tips[session] = tip(generation, len(m.sessions[session]))
}

// rewrite replaces the events of a session.
func (m *memory) rewrite(session string, docs ...events.Doc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.generation++
	m.sessions[session] = docs
	m.tips[session] = tip(m.generation, len(docs))
}

func (m *memory) remove(session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, session)
	delete(m.tips, session)
}

func (m *memory) Tips(context.Context) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.tips), nil
}

func (m *memory) Events(_ context.Context, session, from, to string) iter.Seq2[events.Doc, error] {
	m.mu.Lock()
	docs := m.sessions[session]
	m.mu.Unlock()
	return func(yield func(events.Doc, error) bool) {
		before, first := parseTip(from)
		after, end := parseTip(to)
		if from != "" && (before != after || first > end) {
			yield(events.Doc{}, events.ErrRewritten)
			return
		}
		for _, d := range docs[first:end] {
			if !yield(d, nil) {
				return
			}
		}
	}
}

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// event makes an event of a number, which gives it its id and time.
func event(n int, text string, change ...func(*events.Doc)) events.Doc {
	at := start.Add(time.Duration(n) * 7 * time.Minute)
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(at))
	_ = id.SetEntropy(fmt.Appendf(nil, "%010d", n))
	d := events.Doc{Event: id.String(), Turn: n, At: at, Kind: "agent message", Text: text}
	for _, c := range change {
		c(&d)
	}
	return d
}

// zipf makes words as frequent as those of a language.
type zipf struct {
	r *rand.Rand
	z *rand.Zipf
}

func newZipf(seed uint64, words uint64) *zipf {
	r := rand.New(rand.NewPCG(seed, 7))
	return &zipf{r, rand.NewZipf(r, 1.07, 2.7, words)}
}

// word is pronounceable, so that stems are made as of real words.
func (z *zipf) word() string { return spell(z.z.Uint64()) }

func spell(n uint64) string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	b := []byte{}
	for n = n*7919%1000003 + 80; n > 0; n /= 80 {
		b = append(b, consonants[n%80/5], vowels[n%5])
	}
	return string(b)
}

func (z *zipf) text(words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(" \n"[min(1, z.r.IntN(12)/11)])
		}
		switch n := z.r.IntN(100); {
		case n < 35: // as many as in English
			b.WriteString(stopWords[z.r.IntN(len(stopWords))])
		case n < 39: // a repository has some thousand files
			fmt.Fprintf(&b, "internal/%s/%s.go:%d", spell(uint64(z.r.IntN(60))), spell(z.z.Uint64()%3000), z.r.IntN(900))
		case n < 44:
			name := z.z.Uint64() % 8000
			fmt.Fprintf(&b, "%s_%s(", spell(name), spell(name/3))
		case n < 48:
			b.WriteString(strconv.Itoa(z.r.IntN(5000)))
		default:
			b.WriteString(z.word())
		}
	}
	return b.String()
}

var stopWords = strings.Fields("the of and to in is it that for on with as at by from be are was this not")
