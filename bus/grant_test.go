package bus_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"engram/bus"
	"engram/facts"
)

const (
	grantID   = "01J0000000000000000000000A"
	grantID2  = "01J0000000000000000000000B"
	fullName  = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
	otherName = "ffffffffffffffffffffffffffffffffffffffff"
)

var issuedAt = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func newGrant(change func(*bus.Grant)) bus.Grant {
	g := bus.Grant{ID: grantID, Parent: "lead", Child: "coder", Purpose: bus.ForDeref, Pointer: "repo:a/b.go#L10-L20@" + fullName,
		Cap: 500, Uses: 2, Issued: issuedAt, Expires: issuedAt.Add(time.Hour)}
	if change != nil {
		change(&g)
	}
	return g
}

func finder(grants ...bus.Grant) func(string) (bus.Grant, bool) {
	return func(id string) (bus.Grant, bool) {
		for _, g := range grants {
			if g.ID == id {
				return g, true
			}
		}
		return bus.Grant{}, false
	}
}

func TestTokenOpens(t *testing.T) {
	key := []byte("a key of this test")
	g := newGrant(nil)
	token := g.Sign(key)
	if len(token) != 44 || !strings.HasPrefix(token, "eg1.") || facts.Tokens(token) > 44 {
		t.Errorf("token %q", token)
	}
	got, err := bus.OpenToken(token, key, finder(g))
	if diff := cmp.Diff(g, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := bus.OpenToken(token, key, finder()); !errors.Is(err, bus.ErrUnknownGrant) {
		t.Errorf("a grant that is not in the ledger: %v", err)
	}
	if _, err := bus.OpenToken(token, []byte("another key"), finder(g)); !errors.Is(err, bus.ErrForged) {
		t.Errorf("another key: %v", err)
	}
}

// TestTokenForged changes one character of a token after the other.
func TestTokenForged(t *testing.T) {
	key := []byte("a key of this test")
	g := newGrant(nil)
	token := g.Sign(key)
	for i := range token {
		for _, c := range []byte("Aaz0-_.") {
			if token[i] == c {
				continue
			}
			forged := token[:i] + string(c) + token[i+1:]
			if _, err := bus.OpenToken(forged, key, finder(g)); err == nil {
				t.Errorf("%q opens", forged)
			}
		}
		if _, err := bus.OpenToken(token[:i], key, finder(g)); !errors.Is(err, bus.ErrForged) {
			t.Errorf("cut off after %d: %v", i, err)
		}
	}
	for _, forged := range []string{"", "eg1.", token + "A", "eg2." + token[4:], " " + token, token + "=", token + "\n", token[:9] + "\r\n" + token[9:], strings.ToUpper(token)} {
		if _, err := bus.OpenToken(forged, key, finder(g)); err == nil {
			t.Errorf("%q opens", forged)
		}
	}
}

// TestTokenWidened: a token is good for the grant that was signed, and for no other of
// the same id.
func TestTokenWidened(t *testing.T) {
	key := []byte("a key of this test")
	token := newGrant(nil).Sign(key)
	for name, change := range map[string]func(*bus.Grant){
		"parent":  func(g *bus.Grant) { g.Parent = "" },
		"child":   func(g *bus.Grant) { g.Child = "coder2" },
		"purpose": func(g *bus.Grant) { g.Purpose = bus.ForCode },
		"pointer": func(g *bus.Grant) { g.Pointer = "repo:a/b.go@" + fullName },
		"prefix":  func(g *bus.Grant) { g.Prefix = true },
		"cap":     func(g *bus.Grant) { g.Cap++ },
		"uses":    func(g *bus.Grant) { g.Uses++ },
		"issued":  func(g *bus.Grant) { g.Issued = g.Issued.Add(time.Millisecond) },
		"expires": func(g *bus.Grant) { g.Expires = g.Expires.Add(time.Millisecond) },
		"pass on": func(g *bus.Grant) { g.PassOn = true },
		"from":    func(g *bus.Grant) { g.From = grantID2 },
		// The same texts, cut elsewhere.
		"boundary": func(g *bus.Grant) { g.Parent, g.Child = g.Parent+g.Child[:1], g.Child[1:] },
	} {
		if _, err := bus.OpenToken(token, key, finder(newGrant(change))); !errors.Is(err, bus.ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCovers(t *testing.T) {
	at := "@" + fullName
	for _, test := range []struct {
		pointer string
		prefix  bool
		yes, no []string
	}{
		{"repo:a/b.go#L10-L20" + at, false,
			[]string{"repo:a/b.go#L10-L20" + at, "repo:a/b.go#L12" + at, "repo:a/b.go#L20@0a1b2c3"},
			[]string{"repo:a/b.go" + at, "repo:a/b.go#L9-L10" + at, "repo:a/b.go#L20-L21" + at, "repo:a/b.go#L12", "repo:a/b.go#L12@" + otherName,
				"repo:a/b.go#L12@0a1b2c4", "repo:a/c.go#L12" + at, "artifact:a/b.go" + at, "test:a/b.go" + at, "diff:x..y#a/b.go#L12"}},
		{"repo:a/b.go@0a1b2c3", false, []string{"repo:a/b.go" + at, "repo:a/b.go#L1-L900" + at}, []string{"repo:a/b.go.txt" + at, "repo:a" + at, "repo:a/b.go/c" + at}},
		{"artifact:s.md#sec=Rules" + at, false, []string{"artifact:s.md#sec=Rules" + at}, []string{"artifact:s.md" + at, "artifact:s.md#sec=Rules 2" + at, "artifact:s.md#sec=rules" + at, "repo:s.md" + at}},
		{"artifact:s.md" + at, false, []string{"artifact:s.md#sec=Rules" + at, "artifact:s.md" + at}, []string{"artifact:t.md" + at}},
		{"test:a_test.go#TestX" + at, false, []string{"test:a_test.go#TestX" + at}, []string{"test:a_test.go#TestXY" + at, "test:a_test.go" + at}},
		{"sam:domain/auth/session", false, []string{"sam:domain/auth/session", "sam:domain/auth/session@v1"}, []string{"sam:domain/auth/session2", "sam:domain/auth"}},
		{"sam:domain/auth/session@v1", false, []string{"sam:domain/auth/session@v1"}, []string{"sam:domain/auth/session", "sam:domain/auth/session@v2"}},
		{"diff:0a1b2c3..fffffff#a.go", false, []string{"diff:0a1b2c3d..ffffffff#a.go#L4"}, []string{"diff:0a1b2c3..eeeeeee#a.go", "diff:fffffff..0a1b2c3#a.go", "diff:main..fffffff#a.go"}},
		{"diff:main..topic#a.go", false, []string{"diff:main..topic#a.go"}, []string{"diff:main..topic2#a.go"}},
		{"repo:services/ledger/", true,
			[]string{"repo:services/ledger/a.go" + at, "repo:services/ledger/x/y.go#L3@" + otherName, "repo:services/ledger/@types/a.go" + at},
			[]string{"repo:services/ledger2/a.go" + at, "repo:services/ledger.go" + at, "repo:services/a.go" + at, "artifact:services/ledger/a.md" + at}},
		{"repo:services/ledger", true, []string{"repo:services/ledger/a.go" + at}, []string{"repo:services/ledger2/a.go" + at}},
		{"repo:services/ledger/@0a1b2c3", true, []string{"repo:services/ledger/a.go" + at}, []string{"repo:services/ledger/a.go@" + otherName, "repo:services/ledger2/a.go" + at}},
		{"sam:domain/auth/", true, []string{"sam:domain/auth/session"}, []string{"sam:domain/authority/x"}},
		{"artifact:docs/", true, []string{"artifact:docs/a.md#sec=X" + at}, []string{"artifact:docs2/a.md" + at}},
	} {
		g := newGrant(func(g *bus.Grant) { g.Pointer, g.Prefix = test.pointer, test.prefix })
		if err := g.Check(); err != nil {
			t.Errorf("%s: %v", test.pointer, err)
		}
		for want, refs := range map[bool][]string{true: test.yes, false: test.no} {
			for _, ref := range refs {
				a, err := facts.ParseRef(ref)
				if err != nil {
					t.Fatal(err)
				}
				if g.Covers(a) != want {
					t.Errorf("%s (prefix %v) covers %s: want %v", test.pointer, test.prefix, ref, want)
				}
			}
		}
	}
}

func TestGrantCheck(t *testing.T) {
	for fail, change := range map[string]func(*bus.Grant){
		"not a ULID":                 func(g *bus.Grant) { g.ID = "x" },
		"name the child":             func(g *bus.Grant) { g.Child = "" },
		"at most 200 bytes":          func(g *bus.Grant) { g.Child = strings.Repeat("x", 201) },
		"cannot grant itself":        func(g *bus.Grant) { g.Child = g.Parent },
		"purpose":                    func(g *bus.Grant) { g.Purpose = "all" },
		"a cap of 0":                 func(g *bus.Grant) { g.Cap = 0 },
		"a cap of 100001":            func(g *bus.Grant) { g.Cap = bus.MaxGrantCap + 1 },
		"0 uses":                     func(g *bus.Grant) { g.Uses = 0 },
		"1001 uses":                  func(g *bus.Grant) { g.Uses = bus.MaxGrantUses + 1 },
		"after it is issued":         func(g *bus.Grant) { g.Expires = g.Issued },
		"at most 30 days":            func(g *bus.Grant) { g.Expires = g.Issued.Add(bus.MaxGrantLifetime + time.Second) },
		"needs a type":               func(g *bus.Grant) { g.Pointer = "" },
		"never fetched":              func(g *bus.Grant) { g.Pointer = "url:https://example.org" },
		"a prefix cannot have lines": func(g *bus.Grant) { g.Pointer, g.Prefix = "repo:a#L3", true },
		"leaves the repository":      func(g *bus.Grant) { g.Pointer, g.Prefix = "repo:../", true },
		"needs a type and":           func(g *bus.Grant) { g.Pointer, g.Prefix = "repo:/", true },
	} {
		err := newGrant(change).Check()
		var fault *bus.GrantError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), fail) {
			t.Errorf("want %q, got %v", fail, err)
		}
	}
	if err := newGrant(func(g *bus.Grant) { g.Purpose, g.Pointer, g.Parent = bus.ForCode, "", "" }).Check(); err != nil {
		t.Errorf("for code of any origin, by a person: %v", err)
	}
}

// TestGrantWidened: what is made out of a grant goes beyond it in no way.
func TestGrantWidened(t *testing.T) {
	parent := newGrant(func(g *bus.Grant) { g.PassOn = true })
	narrow := func(change func(*bus.Grant)) bus.Grant {
		return newGrant(func(g *bus.Grant) {
			g.ID, g.From, g.Parent, g.Child = grantID2, grantID, "coder", "tester"
			if change != nil {
				change(g)
			}
		})
	}
	left := bus.Left{Uses: 2, Cap: 500}
	if err := narrow(nil).Narrows(parent, left); err != nil {
		t.Error(err)
	}
	for fail, change := range map[string]func(*bus.Grant){
		"more than the 500":  func(g *bus.Grant) { g.Cap = 501 },
		"more than the 2":    func(g *bus.Grant) { g.Uses = 3 },
		"would expire after": func(g *bus.Grant) { g.Expires = g.Expires.Add(time.Second) },
		"not for inline":     func(g *bus.Grant) { g.Purpose = bus.ForCode },
		"only coder":         func(g *bus.Grant) { g.Parent = "tester" },
		"is not within":      func(g *bus.Grant) { g.Pointer = "repo:a/b.go#L10-L21@" + fullName },
		"not within":         func(g *bus.Grant) { g.Pointer, g.Prefix = "repo:a/", true },
		"can pass it on":     func(g *bus.Grant) { g.From = grantID2 },
	} {
		if err := narrow(change).Narrows(parent, left); err == nil || !strings.Contains(err.Error(), fail) {
			t.Errorf("want %q, got %v", fail, err)
		}
	}
	if err := narrow(nil).Narrows(newGrant(nil), left); err == nil || !strings.Contains(err.Error(), "cannot be passed on") {
		t.Errorf("not to be passed on: %v", err)
	}
	if err := narrow(nil).Narrows(parent, bus.Left{Uses: 1, Cap: 500}); err == nil {
		t.Error("more uses than are left")
	}
	folder := newGrant(func(g *bus.Grant) { g.Pointer, g.Prefix, g.PassOn = "repo:a/", true, true })
	for pointer, want := range map[string]bool{"repo:a/b/": true, "repo:a": true, "repo:a2/": false, "repo:": false} {
		g := narrow(func(g *bus.Grant) { g.Pointer, g.Prefix = pointer, true })
		if err := g.Narrows(folder, left); (err == nil) != want {
			t.Errorf("%s out of repo:a/: %v", pointer, err)
		}
	}
}

// TestStanding: what is taken, given back, and what becomes of a grant.
func TestStanding(t *testing.T) {
	s := bus.Standing{Grant: newGrant(nil)}
	a, _ := facts.ParseRef("repo:a/b.go#L12@" + fullName)
	now := issuedAt.Add(time.Minute)
	if room, err := s.Pays("coder", a, now); err != nil || room != 500 {
		t.Fatal(room, err)
	}
	for fail, try := range map[string]func() (int, error){
		"another agent": func() (int, error) { return s.Pays("tester", a, now) },
		"expired at":    func() (int, error) { return s.Pays("coder", a, s.Expires) },
		"covers only": func() (int, error) {
			return s.Pays("coder", facts.Address{Type: facts.PointRepo, Path: "x", Commit: fullName}, now)
		},
		"not for inline": func() (int, error) { return 0, s.Serves("coder", bus.ForCode, now) },
		"was revoked":    func() (int, error) { r := s; r.Revoked = now; return r.Pays("coder", a, now) },
		"is used up":     func() (int, error) { r := s; r.Used = 2; return r.Pays("coder", a, now) },
		"500 of 500":     func() (int, error) { r := s; r.Spent = 500; return r.Pays("coder", a, now) },
	} {
		if _, err := try(); err == nil || !strings.Contains(err.Error(), fail) {
			t.Errorf("want %q, got %v", fail, err)
		}
	}
	s.Take(400)
	if err := s.Settle(400, 0, false); err != nil || s.Used != 0 || s.Spent != 0 {
		t.Errorf("what failed costs something: %+v, %v", s, err)
	}
	if err := s.Settle(400, 0, false); err == nil {
		t.Error("given back twice")
	}
	s.Take(400)
	if err := s.Settle(400, 90, true); err != nil || s.Used != 1 || s.Spent != 90 || s.State(now) != bus.GrantOpen {
		t.Errorf("%+v, %v", s, err)
	}
	s.Take(410)
	if s.State(now) != bus.GrantUsedUp {
		t.Errorf("%+v", s)
	}
}

// TestRoom walks through a turn of each class of pointers.
func TestRoom(t *testing.T) {
	limits := bus.Deref{} // the defaults: 3, 2, 2, 1200
	for _, test := range []struct {
		kinds []facts.PointerType
		most  int
		name  string
	}{
		{[]facts.PointerType{facts.PointRepo, facts.PointDiff, facts.PointTest}, 3, "max_repo_spans"},
		{[]facts.PointerType{facts.PointArtifact}, 2, "max_artifact_sections"},
		{[]facts.PointerType{facts.PointSAM}, 2, "max_sam_items"},
	} {
		var turn bus.Turn
		for i := range test.most {
			kind := test.kinds[i%len(test.kinds)]
			room, refusal := limits.Room(turn, kind, "repo:a@0a1b2c3")
			if refusal != nil || room != 1200-100*i {
				t.Errorf("%s %d: %d, %v", kind, i, room, refusal)
			}
			turn = turn.Add(bus.Use{Type: kind, Tokens: 100})
		}
		_, refusal := limits.Room(turn, test.kinds[0], "repo:a#L1-L220@0a1b2c3")
		if refusal == nil || refusal.Code != bus.DerefDenied || refusal.Name != test.name || refusal.Limit != test.most || refusal.Amount != test.most+1 || !errors.Is(refusal, bus.ErrRefused) {
			t.Fatalf("%+v", refusal)
		}
		want := `DEREF_REQUESTS: [{"pointer":{"type":"repo","ref":"repo:a#L1-L220@0a1b2c3"},"reason":"(say what you need it for)"}]`
		if diff := cmp.Diff(want, refusal.Resend); diff != "" {
			t.Error(diff)
		}
		var asked struct {
			Requests []bus.DerefRequest `yaml:"DEREF_REQUESTS"`
		}
		if err := yaml.Unmarshal([]byte(refusal.Resend), &asked); err != nil || len(asked.Requests) != 1 || asked.Requests[0].Pointer.Ref != "repo:a#L1-L220@0a1b2c3" {
			t.Errorf("it does not read as YAML: %+v, %v", asked, err)
		}
		turn = turn.Less(bus.Use{Type: test.kinds[0], Tokens: 100})
		if _, refusal := limits.Room(turn, test.kinds[0], ""); refusal != nil {
			t.Errorf("after one was given back: %v", refusal)
		}
	}
	_, refusal := limits.Room(bus.Turn{Tokens: 1200}, facts.PointURL, "")
	if refusal == nil || refusal.Name != "max_deref_tokens" {
		t.Errorf("%+v", refusal)
	}
	if room, refusal := limits.Room(bus.Turn{RepoSpans: 9, ArtifactSections: 9, SAMItems: 9, Tokens: 1}, facts.PointURL, ""); refusal != nil || room != 1199 {
		t.Errorf("%d, %v", room, refusal)
	}
}

// TestNarrowedCoversLess: whatever a grant that narrows another covers, the other
// covers too.
func TestNarrowedCoversLess(t *testing.T) {
	pointer := rapid.Custom(func(t *rapid.T) [2]string {
		path := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ab", "b", "a.go"}), 1, 3).Draw(t, "path"), "/")
		kind := rapid.SampledFrom([]string{"repo", "artifact", "sam"}).Draw(t, "type")
		commit := rapid.SampledFrom([]string{"", "@0a1b2c3", "@" + fullName, "@" + otherName}).Draw(t, "commit")
		if rapid.Bool().Draw(t, "prefix") {
			return [2]string{kind + ":" + path + "/", "prefix"}
		}
		lines := ""
		if kind == "repo" && rapid.Bool().Draw(t, "lines") {
			first := rapid.IntRange(1, 9).Draw(t, "first")
			lines = fmt.Sprintf("#L%d-L%d", first, first+rapid.IntRange(0, 9).Draw(t, "more"))
		}
		return [2]string{kind + ":" + path + lines + commit, ""}
	})
	rapid.Check(t, func(t *rapid.T) {
		p, n, asked := pointer.Draw(t, "parent"), pointer.Draw(t, "narrower"), pointer.Draw(t, "asked")
		parent := newGrant(func(g *bus.Grant) { g.PassOn, g.Pointer, g.Prefix = true, p[0], p[1] != "" })
		narrower := newGrant(func(g *bus.Grant) {
			g.ID, g.From, g.Parent, g.Child, g.Pointer, g.Prefix = grantID2, grantID, "coder", "tester", n[0], n[1] != ""
		})
		a, err := facts.ParseRef(strings.TrimSuffix(asked[0], "/"))
		if err != nil || parent.Check() != nil || narrower.Check() != nil {
			t.Skip("no grants")
		}
		if narrower.Narrows(parent, bus.Left{Uses: 2, Cap: 500}) == nil && narrower.Covers(a) && !parent.Covers(a) {
			t.Fatalf("%s, out of %s, covers %s", n[0], p[0], asked[0])
		}
	})
}

func FuzzOpenToken(f *testing.F) {
	key := []byte("a key of this test")
	g := newGrant(nil)
	token := g.Sign(key)
	for _, seed := range []string{"", "eg1.", token, token[:20], token + "A", "eg1." + strings.Repeat("A", 40), "eg1." + strings.Repeat("_", 40), "eg1.\n" + token[5:]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := bus.OpenToken(text, key, func(string) (bus.Grant, bool) { return g, true })
		if err == nil && text != token {
			// Another id beside this grant's signature: the look-up ignores ids here.
			if !strings.HasSuffix(text, token[len(token)-18:]) {
				t.Errorf("%q opens", text)
			}
		}
		if _, err := bus.OpenToken(text, key, finder(g)); (err == nil) != (text == token) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
