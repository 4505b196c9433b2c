package memory_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"engram/facts"
	"engram/gitstore"
	"engram/memory"
)

// cases is how many histories TestMergesConverge makes up. docs/performance.md has
// the figures of a run of 10,000.
var cases = flag.Int("converge.cases", 20, "histories that TestMergesConverge makes up")

// TestMergesConverge: clones write, update and retire facts and merge each other
// in any order. In the end the same facts hold for all, whoever merged whom first, and
// every version that no writer knowingly replaced stands on it.
func TestMergesConverge(t *testing.T) {
	w := newWorld(t)
	for seed := range *cases {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { w.history(t, seed) }) {
			return
		}
	}
}

// world is one repository in which every clone is a branch: what merges do with
// histories is the same, and thousands of them take minutes.
type world struct {
	bench
	ids int
}

func newWorld(t *testing.T) *world {
	b := newMemory(t)
	b.git("config", "gc.auto", "0")
	return &world{bench: b}
}

// clone is a branch, and what its writer knows.
type clone struct {
	store *gitstore.Store
	name  string
}

func (w *world) clone(t *testing.T, name, at string) clone {
	t.Helper()
	w.git("update-ref", "refs/heads/"+name, at)
	s, err := gitstore.Open(t.Context(), w.dir, &gitstore.Options{Branch: name, Now: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return clone{s, name}
}

// convergeKeys are few, so that writers meet. Every third case has twins that
// differ by case alone: who writes on to one of them that a merge elsewhere moved
// aside may leave a rival more or less by the order of merges, so of these cases
// only the claims are compared.
func convergeKeys(seed int) (keys []string, twins bool) {
	keys = []string{"domain/a/one", "domain/a/two", "domain/b/three"}
	if seed%3 == 0 {
		return append(keys, "finding/x/Four", "finding/x/four"), true
	}
	return keys, false
}

// history is one case.
func (w *world) history(t *testing.T, seed int) {
	draw := rapid.Custom(func(t *rapid.T) []int {
		n := rapid.IntRange(3, 5).Draw(t, "clones")
		steps := rapid.SliceOfN(rapid.IntRange(0, 1<<20), 3, 14).Draw(t, "steps")
		return append([]int{n}, steps...)
	}).Example(seed)
	n, steps := draw[0], draw[1:]
	keys, twins := convergeKeys(seed)
	root := w.git("rev-parse", "engram")
	var clones []clone
	for i := range n {
		clones = append(clones, w.clone(t, fmt.Sprintf("c%d-%d", seed, i), root))
	}
	live := make(map[string]string) // claims by the id of the version, until somebody replaces it
	var told []string
	for _, step := range steps {
		c := clones[step%n]
		switch choice := step / n % 10; {
		case choice < 3:
			other := clones[(step/n/10)%n]
			w.merge(t, c, other.name)
			told = append(told, fmt.Sprintf("%s merges %s", c.name, other.name))
		default:
			told = append(told, w.write(t, c, keys[step/n/10%len(keys)], choice == 3, live))
		}
	}
	trees := make(map[string]string)
	for _, order := range w.orders(n, steps) {
		var tips []string
		for _, i := range order {
			tips = append(tips, clones[i].name)
		}
		all := w.clone(t, fmt.Sprintf("all%d-%s", seed, strings.Join(tips, ".")), w.git("rev-parse", tips[0]))
		for _, other := range tips[1:] {
			w.merge(t, all, other)
		}
		trees[w.current(t, all.name)] = all.name
	}
	names := make([]string, 0, len(trees))
	for _, name := range trees {
		names = append(names, name)
	}
	if len(trees) != 1 && !twins {
		t.Errorf("%d trees by the order of merges: %s\n%s", len(trees), w.git("diff", names[0], names[1]), strings.Join(told, "\n"))
	}
	w.checkClaims(t, names[0], live, told)
}

// current is what holds on a branch once an audit has retired the rivals that are
// none any more.
func (w *world) current(t *testing.T, branch string) string {
	t.Helper()
	over, err := memory.Obsolete(t.Context(), w.Memory, branch)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(w.git("ls-tree", "-r", branch)) {
		_, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if key, _ := facts.KeyOfPath(path); !slices.Contains(over, key) {
			list = append(list, line)
		}
	}
	return strings.Join(list, "")
}

// orders are three ways to merge all the clones.
func (w *world) orders(n int, steps []int) [][]int {
	forth := make([]int, n)
	for i := range forth {
		forth[i] = i
	}
	back := slices.Clone(forth)
	slices.Reverse(back)
	turned := append(slices.Clone(forth[steps[0]%n:]), forth[:steps[0]%n]...)
	return [][]int{forth, back, turned}
}

func (w *world) merge(t *testing.T, c clone, theirs string) {
	t.Helper()
	_, err := c.store.Merge(t.Context(), theirs, memory.NewJoiner(w.Memory), func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: "merge\n"} })
	if err != nil {
		t.Fatalf("%s merges %s: %v", c.name, theirs, err)
	}
}

// write is one write of a clone that knows what stands on its branch.
func (w *world) write(t *testing.T, c clone, at string, retire bool, live map[string]string) string {
	t.Helper()
	key, err := facts.ParseKey(at)
	if err != nil {
		t.Fatal(err)
	}
	said := "nothing"
	_, err = c.store.Update(t.Context(), func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		for file, err := range c.store.All(t.Context(), tip, "finding/") { // a twin stands there already
			if err == nil && file.Path != key.Path() && strings.EqualFold(file.Path, key.Path()) {
				key, _ = facts.KeyOfPath(file.Path)
			}
		}
		w.ids++
		now := w.clock.Now().Truncate(time.Millisecond)
		next := facts.Fact{
			Key: key, ID: facts.DerivedULID(now, fmt.Sprint(w.ids)), ValidFrom: now, Claim: fmt.Sprintf("The limit is %d.", w.ids),
			Provenance: facts.Provenance{Agent: c.name, CreatedAt: now},
		}
		next.Lineage = next.ID
		var old facts.Fact
		file, err := c.store.Get(t.Context(), tip, key.Path())
		if err == nil {
			if old, err = facts.ParseAt(key, file.Data); err != nil {
				return nil, gitstore.Meta{}, err
			}
		}
		stands := err == nil && old.Operation != facts.OpDelete
		switch {
		case retire && !stands:
			return nil, gitstore.Meta{}, nil
		case retire:
			id := next.ID
			next = old
			next.ID, next.Operation, next.Supersedes, next.ValidUntil = id, facts.OpDelete, old.ID, now
		case stands:
			next.Operation, next.Supersedes, next.Lineage = facts.OpUpdate, old.ID, old.Lineage
		}
		if stands {
			delete(live, old.ID)
		}
		if !retire {
			live[next.ID] = next.Claim
		}
		said = fmt.Sprintf("%s: %s %s %s", c.name, next.WithDefaults().Operation, key, next.Claim)
		return []gitstore.Write{{Path: key.Path(), Data: facts.Marshal(next)}}, gitstore.Meta{Message: said + "\n"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// checkClaims looks for the claims that nobody replaced.
func (w *world) checkClaims(t *testing.T, branch string, live map[string]string, told []string) {
	t.Helper()
	stands := make(map[string]bool)
	paths := make(map[string]string)
	for file, err := range w.store(t, branch).All(t.Context(), branch, "") {
		if err != nil {
			t.Fatal(err)
		}
		if twin, found := paths[strings.ToLower(file.Path)]; found {
			t.Errorf("%s and %s differ by case alone", twin, file.Path)
		}
		paths[strings.ToLower(file.Path)] = file.Path
		key, ok := facts.KeyOfPath(file.Path)
		if !ok {
			continue
		}
		f, err := facts.ParseAt(key, file.Data)
		if err != nil {
			t.Errorf("%s: %v", file.Path, err)
		}
		stands[f.Claim] = true
	}
	for id, claim := range live {
		if !stands[claim] {
			t.Errorf("%s (%s) is lost:\n%s", claim, id, strings.Join(told, "\n"))
		}
	}
}

func (w *world) store(t *testing.T, branch string) *gitstore.Store {
	t.Helper()
	return w.clone(t, branch, w.git("rev-parse", branch)).store
}
