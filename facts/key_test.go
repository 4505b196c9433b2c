package facts_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

func TestParseKey(t *testing.T) {
	long := strings.Repeat("a", facts.MaxSegment)
	tests := []struct {
		text string
		want facts.Key
		fail string // part of the problem; "" means the key is good
	}{
		// The examples of seed 3.
		{text: "sdd/icr-shm-ae/apply-progress", want: facts.Key{Namespace: "sdd", Category: "icr-shm-ae", Identifier: "apply-progress"}},
		{text: "paper/icr-shm-ae/EXPLORE", want: facts.Key{Namespace: "paper", Category: "icr-shm-ae", Identifier: "EXPLORE"}},
		{text: "paper/icr-shm-ae/IMPLEMENT-B2", want: facts.Key{Namespace: "paper", Category: "icr-shm-ae", Identifier: "IMPLEMENT-B2"}},
		{text: "tool/rest_json/cache-integration", want: facts.Key{Namespace: "tool", Category: "rest_json", Identifier: "cache-integration"}},
		{text: "calibration/structure-mass/2026-04", want: facts.Key{Namespace: "calibration", Category: "structure-mass", Identifier: "2026-04"}},
		{text: "finding/icr-shm-ae/reviewer_simulator/ai_prose", want: facts.Key{Namespace: "finding", Category: "icr-shm-ae", Identifier: "reviewer_simulator", Sub: "ai_prose"}},
		{text: "finding/a/B/C", want: facts.Key{Namespace: "finding", Category: "a", Identifier: "B", Sub: "C"}},
		{text: "domain/payments.webhooks/0", want: facts.Key{Namespace: "domain", Category: "payments.webhooks", Identifier: "0"}},
		{text: "a/b/" + long, want: facts.Key{Namespace: "a", Category: "b", Identifier: long}},
		{text: "a/b/com10", want: facts.Key{Namespace: "a", Category: "b", Identifier: "com10"}},
		{text: "a/b/console", want: facts.Key{Namespace: "a", Category: "b", Identifier: "console"}},
		{text: "a/b/yml", want: facts.Key{Namespace: "a", Category: "b", Identifier: "yml"}},
		{text: "a/b.yml.x/c", want: facts.Key{Namespace: "a", Category: "b.yml.x", Identifier: "c"}},

		// Rule 1: segments.
		{text: "", fail: "is empty"},
		{text: "sdd", fail: "has 1 segments"},
		{text: "architecture/auth-model", fail: "has 2 segments"},
		{text: "a/b/c/d/e", fail: "has 5 segments"},
		{text: "/a/b/c", fail: "namespace: is empty"},
		{text: "a//c", fail: "category: is empty"},
		{text: "a/b/c/", fail: "sub-identifier: is empty"},
		{text: "a/b/", fail: "identifier: is empty"},
		// Rule 2: slugs.
		{text: "paper:abc EXPLORE done", fail: "has 1 segments"},
		{text: "sdd/Foo Bar/baz", fail: "upper case"},
		{text: "sdd/foo bar/baz", fail: `has ' '`},
		{text: "a/b/../c", fail: `has '.'`},
		{text: "../../etc/passwd", fail: `has '.'`},
		{text: "a/b/.hidden", fail: `has '.'`},
		{text: "a/b/-c", fail: `has '-'`},
		{text: "a/b/_c", fail: `has '_'`},
		{text: `a/b/c\d`, fail: `has '\\'`},
		{text: "a/b/c\n", fail: `has '\n'`},
		{text: "a/b/c\x00", fail: `has '\x00'`},
		{text: "a/b/c\x1b[2J", fail: `has '\x1b'`},
		{text: "a/b/c\u202ed", fail: "U+202E"},
		{text: "a/b/c:d", fail: `has ':'`},
		{text: "a/b/c~1", fail: `has '~'`},
		{text: "a/b/\xff", fail: "is not UTF-8"},
		{text: "\u0430/b/c", fail: "U+0430"}, // Cyrillic a
		{text: "a/b/\uff41", fail: "U+FF41"}, // full-width a
		{text: "a/b/\u212a", fail: "U+212A"}, // Kelvin sign
		{text: "a/b/caf\u00e9", fail: "U+00E9"},
		{text: "a/b/cafe\u0301", fail: "U+0301"},
		// Rule 3: case.
		{text: "SDD/b/c", fail: "namespace: \"SDD\" has upper case"},
		{text: "sdd/b/C", fail: "upper case"},
		{text: "sdd/b/c/D", fail: "upper case"},
		{text: "paper/B/c", fail: "category: \"B\" has upper case"},
		{text: "Paper/b/C", fail: "upper case"},
		// Rule 4: length.
		{text: "a/b/" + long + "a", fail: "is 101 bytes long"},
		{text: long + "a/b/c", fail: "is 101 bytes long"},
		// Rule 5: storable.
		{text: "a/b/c.", fail: "ends in a dot"},
		{text: "a/b./c", fail: "ends in a dot"},
		{text: "a/b/con", fail: "device name"},
		{text: "paper/b/CON", fail: "device name"},
		{text: "paper/b/Nul.tar.gz", fail: "device name"},
		{text: "aux/b/c", fail: "device name"},
		{text: "a/prn.txt/c", fail: "device name"},
		{text: "a/b/com0", fail: "device name"},
		{text: "a/b/lpt9.x", fail: "device name"},
		{text: "a/b/c.yml", fail: "reserved"},
		{text: "paper/b/C.YML", fail: "reserved"},
		{text: "a/b.yml/c", fail: "reserved"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := facts.ParseKey(tt.text)
			if tt.fail == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
				checkKey(t, tt.text, got)
				return
			}
			keyError, ok := errors.AsType[*facts.KeyError](err)
			if !ok {
				t.Fatalf("error %v is no KeyError", err)
			}
			if !strings.Contains(keyError.Problem, tt.fail) {
				t.Errorf("problem %q does not say %q", keyError.Problem, tt.fail)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if !got.IsZero() {
				t.Errorf("key %v beside an error", got)
			}
			if k, ok := facts.KeyOfPath(tt.text + ".yml"); ok {
				t.Errorf("the path is taken for key %v", k)
			}
		})
	}
}

// checkKey checks what holds of every key that parses.
func checkKey(t *testing.T, text string, k facts.Key) {
	t.Helper()
	if k.IsZero() || k.String() != text {
		t.Errorf("String is %q, want %q", k.String(), text)
	}
	if back, ok := facts.KeyOfPath(k.Path()); !ok || back != k {
		t.Errorf("KeyOfPath(%q) = %v, %v", k.Path(), back, ok)
	}
	b, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	var back facts.Key
	if err := json.Unmarshal(b, &back); err != nil || back != k {
		t.Errorf("%s in JSON reads as %v, %v", b, back, err)
	}
	if !k.HasPrefix(k.Namespace) || !k.HasPrefix(text) || k.HasPrefix(text+"x") {
		t.Errorf("HasPrefix is wrong for %v", k)
	}
}

func TestKeyOfPathRefuses(t *testing.T) {
	for _, path := range []string{"", ".yml", "engram.yml", "README.md", "a/b/c", "a/b/c.YML", "a/b/c.yaml", "a/b/c.yml.yml", "./a/b/c.yml", "/a/b/c.yml", `a\b\c.yml`} {
		if k, ok := facts.KeyOfPath(path); ok {
			t.Errorf("KeyOfPath(%q) = %v", path, k)
		}
	}
}

func TestZeroKey(t *testing.T) {
	var zero facts.Key
	if zero.String() != "" || !zero.IsZero() {
		t.Errorf("the zero key is written %q", zero)
	}
	b, err := json.Marshal(zero)
	if string(b) != `""` || err != nil {
		t.Errorf("in JSON it is %s, %v", b, err)
	}
	k := facts.Key{Namespace: "a", Category: "b", Identifier: "c"}
	if err := json.Unmarshal(b, &k); err != nil || !k.IsZero() {
		t.Errorf("it reads back as %v, %v", k, err)
	}
	if err := json.Unmarshal([]byte(`"a/b"`), &k); err == nil || !k.IsZero() {
		t.Errorf("a bad key reads as %v, %v", k, err)
	}
}

func TestKeyHasPrefix(t *testing.T) {
	k := facts.Key{Namespace: "sdd", Category: "icr", Identifier: "spec"}
	for prefix, want := range map[string]bool{
		"": true, "/": true, "sdd": true, "sdd/": true, "sdd/icr": true, "sdd/icr/spec": true,
		"sdd/ic": false, "sd": false, "icr": false, "sdd/icr/spec/x": false,
	} {
		if got := k.HasPrefix(prefix); got != want {
			t.Errorf("HasPrefix(%q) = %v", prefix, got)
		}
	}
}
