package begin

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"engram/cmd/engram/internal/show"
	"engram/memory"
)

// The keys that the demo comes back to.
const (
	demoSession = "domain/auth/session-lifetime"
	demoRetry   = "domain/payments/webhook-retries"
	demoDay     = "domain/payments/webhook-time"
	demoCart    = "domain/cart/limit"
)

// story is the demo: a small team's memory in a dozen commands.
func (d *demo) story() {
	d.say("A repository with some code, as you have one.")
	d.do("git", "init", "--quiet", "--initial-branch=main")
	d.do("git", "config", "user.name", "Ada Demo")
	d.do("git", "config", "user.email", "ada@example.com")
	d.do("git", "commit", "--quiet", "--allow-empty", "--message", "the shop")

	d.say("Begin its memory: one branch, and nothing of yours is touched.")
	d.do("engram", "init")

	d.say("Write down what people and agents find out.")
	d.do("engram", "commit", "Sessions live 30 minutes and are renewed by each request.", "--key", demoSession, "--scope", "auth/session", "--tag", "security")
	d.do("engram", "commit", "Payment webhooks are retried 5 times with exponential back-off.", "--key", demoRetry, "--scope", "payments/webhooks", "--agent", "claude", "--pointer", "repo:payments/webhook.go#L40-L62")
	d.do("engram", "commit", "Amounts are integers in cents; floats lost a cent in March.", "--scope", "payments", "--kind", "decision", "--type", "decision")
	d.do("engram", "commit", "The search service times out above 200 results a page.", "--scope", "search", "--kind", "perf", "--agent", "claude", "--evidence", "load test of 12 May")

	before := d.between()
	d.say("Something changes. The same key takes the new claim; the old one stays in its history.")
	d.do("engram", "commit", "Sessions live 15 minutes and are renewed by each request.", "--key", demoSession, "--agent", "claude", "--evidence", "auth/session.go, const ttl")

	d.say("Ask in your own words.")
	d.do("engram", "query", "how long does a session live?")
	d.do("engram", "query", "webhook retries", "--scope", "payments", "--limit", "1", "--explain")
	d.say("Bring a fact up to date without knowing its key: the nearest one is meant.")
	d.do("engram", "commit", "The search service times out above 500 results a page.", "--scope", "search", "--operation", "update")

	d.say("Look one up, and see how it became what it is.")
	d.do("engram", "get", demoSession)
	d.do("engram", "log", demoSession)

	d.evidence()

	d.say("What did we believe before the change?")
	d.do("engram", "query", "how long does a session live?", "--as-of", before)
	d.do("engram", "get", demoSession, "--as-of", before)

	d.say("Two agents say what cannot both be true. The second commit says so, and so does every answer from then on.")
	d.do("engram", "commit", "The gateway listens on port 9200.", "--key", "domain/gateway/port", "--scope", "gateway", "--agent", "claude")
	d.do("engram", "commit", "The gateway listens on port 9300.", "--key", "domain/gateway/address", "--scope", "gateway", "--agent", "codex")
	d.do("engram", "query", "on which port does the gateway listen?", "--scope", "gateway")
	d.do("engram", "conflicts")
	d.do("engram", "resolve", d.conflict(), "--winner", "domain/gateway/address", "--reason", "read in gateway.yml")

	d.say("What no rule can decide, whoever can read decides, once for the whole team.")
	d.do("engram", "commit", "Payment webhooks are retried with exponential back-off for a day.", "--key", demoDay, "--scope", "payments/webhooks", "--agent", "codex")
	d.do("engram", "judge", demoDay, demoRetry, "--verdict", "compatible", "--reason", "the fifth retry is after 20 hours")

	d.say("A fact that no longer holds is retired, not deleted.")
	d.do("engram", "retire", demoRetry, "--reason", "the provider retries now")
	d.do("engram", "list")
	d.do("engram", "lint", "--fix-suggestions")

	d.say("It is all plain git: it can be read, pushed, pulled and cloned like any branch.")
	d.do("git", "log", "--oneline", "engram")
	d.do("git", "show", "engram:"+demoSession+".yml")
	d.do("git", "status", "--short", "--branch")
	d.say("Shown: init, commit, a change, query, explain, update, get, log, evidence, verify, as-of, conflicts, resolve, judge, retire, list, lint, and the branch in git.")
}

// evidence is the scene of a fact that points at code, which changes.
func (d *demo) evidence() {
	const file, before, after = "cart/limit.go", "package cart\n\nconst limit = 20 // items\n", "package cart\n\nconst limit = 50 // items\n"
	d.say("A fact can point at the code that it rests on...")
	d.write(file, before)
	d.do("git", "add", file)
	d.do("git", "commit", "--quiet", "--message", "a limit for carts")
	d.do("engram", "commit", "A cart holds at most 20 items.", "--key", demoCart, "--scope", "cart", "--pointer", file+":3")
	d.do("engram", "verify", demoCart)
	d.say("...and when that changes, whoever reads the fact is told. Exit code 1 says so to scripts.")
	d.write(file, after)
	d.doNo("engram", "verify", demoCart, "--diff")
	d.do("engram", "query", "how many items does a cart hold?", "--limit", "1")
	d.do("git", "commit", "--quiet", "--all", "--message", "larger carts")
	d.do("engram", "commit", "A cart holds at most 50 items.", "--key", demoCart, "--pointer", file+":3")
}

// write writes a file of the repository, and shows what it says then.
func (d *demo) write(name, text string) {
	if d.err != nil {
		return
	}
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if d.err = os.MkdirAll(filepath.Dir(path), 0o755); d.err == nil {
		d.err = os.WriteFile(path, []byte(text), 0o644)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	d.io.Printf("%s\n", d.io.Color.Dim("("+name+" now says: "+lines[len(lines)-1]+")"))
}

// between is a moment that lies after what was written and before what comes.
// Facts count milliseconds.
func (d *demo) between() string {
	const apart = 20 * time.Millisecond
	time.Sleep(apart)
	moment := d.io.Now().UTC().Format("2006-01-02T15:04:05.000Z07:00")
	time.Sleep(apart)
	return moment
}

// conflict is the id of the first conflict that is open.
func (d *demo) conflict() string {
	if d.err != nil {
		return ""
	}
	cmd := d.command(d.engram, "conflicts", "--json")
	cmd.Dir, cmd.Env = d.dir, d.env
	out, err := cmd.Output()
	var list memory.ConflictsResult
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	if err == nil && len(list.Conflicts) == 0 {
		err = errors.New("there is none")
	}
	if err != nil {
		d.err = fmt.Errorf("the demo looks for its conflict: %w", err)
		return ""
	}
	return show.ShortID(list.Conflicts[0])
}
