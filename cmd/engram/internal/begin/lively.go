package begin

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// shopFacts is the memory of a made-up shop, as `engram import` reads it.
//
//go:embed lively.jsonl
var shopFacts string

// lively fills the repository with the memory of a team at work, without showing the commands: some
// agents, versions, contradictions, evidence that drifted, and a session.
func (d *demo) lively() {
	d.quiet("", "git", "init", "-q", "-b", "main")
	d.quiet("", "git", "config", "user.name", "Ada")
	d.quiet("", "git", "config", "user.email", "ada@example.com")
	d.put("gateway.yml", "listen: 8443\nrate_limit: 100 # a minute\n")
	d.put("tax.py", "def tax(cents):\n    return round_half_up(cents * 0.19)\n")
	d.quiet("", "git", "add", "-A")
	d.quiet("", "git", "commit", "-q", "-m", "The shop")
	d.quiet("", "engram", "init")
	d.quiet(shopFacts, "engram", "import", "-")
	for _, args := range [][]string{
		{"commit", "Sessions live 45 minutes, sliding.", "--key", "domain/auth/session", "--scope", "auth/session", "--operation", "update", "--agent", "claude"},
		{"commit", "The rate limit of the gateway is 100 a minute.", "--key", "domain/infra/gateway-limit", "--scope", "infra/gateway", "--pointer", "gateway.yml:2", "--agent", "claude"},
		{"commit", "Tax is rounded by round_half_up.", "--key", "domain/billing/tax-code", "--scope", "billing/tax", "--pointer", "tax.py:2", "--agent", "codex"},
		{"commit", "The gateway listens on port 9443.", "--key", "domain/infra/gateway-port", "--scope", "infra/gateway", "--agent", "gemini"},
		{"commit", "Carts are stored in Memcached and expire after two days.", "--key", "domain/shop/cart-cache", "--scope", "shop/cart", "--agent", "gemini"},
		{"retire", "domain/mail/bounces", "--reason", "the provider does it now"},
	} {
		d.quiet("", "engram", args...)
	}
	d.put("gateway.yml", "listen: 8443\nrate_limit: 250 # a minute\n")
	d.quiet("", "git", "commit", "-qam", "More requests")
	transcript := filepath.Join(d.dir, "..", "transcript.jsonl")
	d.put("../transcript.jsonl", shopSession(d.io.Now().Add(-2*time.Hour)))
	d.quiet("", "engram", "session", "import", transcript)
	d.quiet("", "engram", "session", "consolidate")
	d.quiet("", "engram", "audit")
}

// show runs the dashboard until the person ends it. It has the person's own environment, so that it
// finds their browser.
func (d *demo) show(ctx context.Context, noOpen bool) {
	if d.err != nil {
		return
	}
	args := []string{"dashboard", "--repo", d.dir}
	if noOpen {
		args = append(args, "--no-open")
	}
	if d.err = d.io.Flush(); d.err != nil {
		return
	}
	cmd := d.command(d.engram, args...)
	cmd.Stdout, cmd.Stderr = d.io.Stdout, d.io.Err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 3 * time.Second
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		d.err = fmt.Errorf("the demo's dashboard failed: %w", err)
	}
}

// quiet runs a command that is not shown.
func (d *demo) quiet(input, program string, args ...string) {
	if d.err != nil {
		return
	}
	name := program
	if program == "engram" {
		program = d.engram
	}
	cmd := d.command(program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = d.dir, d.env, strings.NewReader(input), 2*time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		d.err = fmt.Errorf("the demo's command failed: %s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
}

// put writes a file of the repository.
func (d *demo) put(name, text string) {
	if d.err == nil {
		d.err = os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o644)
	}
}

// shopSession is a session of a coding agent, as Claude Code writes it.
func shopSession(began time.Time) string {
	var b strings.Builder
	n := 0
	line := func(kind, content string) {
		n++
		fmt.Fprintf(&b, `{"type":%q,"sessionId":"5b1f0c7e-tax","cwd":"/shop","gitBranch":"main","uuid":"%d","timestamp":%q,"message":{"role":%q,"model":"m","content":%s}}`+"\n",
			kind, n, began.Add(time.Duration(n)*40*time.Second).UTC().Format(time.RFC3339), kind, content)
	}
	line("user", `"Customers lose half a cent on some invoices. Find out why, and never round a line before the sum."`)
	line("assistant", `[{"type":"text","text":"I look at how tax is rounded."},{"type":"tool_use","id":"a","name":"Bash","input":{"command":"cat tax.py"}}]`)
	line("user", `[{"type":"tool_result","tool_use_id":"a","content":"def tax(cents):\n    return round(cents * 0.19)\n"}]`)
	line("assistant", `[{"type":"text","text":"The root cause is that Python's round goes to the even neighbour. We chose half up over half even because the tax office does."},{"type":"tool_use","id":"b","name":"Edit","input":{"file_path":"tax.py","old_string":"round(","new_string":"round_half_up("}}]`)
	line("user", `[{"type":"tool_result","tool_use_id":"b","content":"The file tax.py has been updated."}]`)
	line("assistant", `[{"type":"text","text":"Tax is rounded half up on the sum now, and the test of half a cent passes."}]`)
	return b.String()
}
