package share

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Visibility says who may read a remote: public, private, local (a path) or
// unknown.
type Visibility = gitstore.Visibility

// The visibilities.
const (
	Public  = gitstore.Public
	Private = gitstore.Private
	Local   = gitstore.Local
	Unknown = gitstore.Unknown
)

// RemoteVisibility asks a remote ("" is the one that the memory is shared with)
// whether it shows itself to somebody it does not know. It waits 5 seconds at
// most, sends nothing that says who the user is, and changes nothing. Without a
// remote it is "".
func (m *Sharer) RemoteVisibility(ctx context.Context, name string) (Visibility, error) {
	if name == "" {
		var err error
		if name, err = m.upstream(ctx); err != nil || name == "" {
			return "", err
		}
	}
	address, err := m.Store.Address(ctx, name)
	if err != nil {
		return "", err
	}
	return m.Store.VisibilityOf(ctx, address)
}

// Remotes names the remotes of the repository.
func (m *Sharer) Remotes(ctx context.Context) (names []string, err error) {
	list, err := m.Store.Remotes(ctx)
	for _, r := range list {
		names = append(names, r.Name)
	}
	return names, err
}

// upstream is the remote that the memory is shared with, "" for none.
func (m *Sharer) upstream(ctx context.Context) (string, error) {
	name, err := m.Store.Upstream(ctx)
	if errors.Is(err, gitstore.ErrNoRemote) { // the configuration names one that is gone
		return "", nil
	}
	return name, err
}

// remote is a remote of the repository, or one to add.
type remote struct {
	name      string
	address   string // of one that is new
	isNew     bool
	dedicated bool // nothing but the memory is fetched from it
}

// target is by what git reaches it.
func (r remote) target() string {
	if r.isNew {
		return r.address
	}
	return r.name
}

// dedicatedRemote is what a remote is called that is there for the memory.
const dedicatedRemote = "engram"

// findRemote is the remote that a name or an address means: "" the one that the
// memory is shared with; an address that a remote has already that one, any
// other a new one.
func (m *Sharer) findRemote(ctx context.Context, stated string) (r remote, err error) {
	if stated == "" {
		r.name, err = m.upstream(ctx)
		return r, err
	}
	all, err := m.Store.Remotes(ctx)
	if err != nil {
		return r, err
	}
	taken := false
	for _, known := range all {
		taken = taken || known.Name == dedicatedRemote
		if known.Name == stated || gitstore.SameAddress(known.URL, stated) {
			r.name = known.Name
			r.dedicated, err = m.Store.Dedicated(ctx, known.Name)
			return r, err
		}
	}
	switch {
	case !strings.ContainsAny(stated, `/\:`):
		return r, fmt.Errorf("%w: %q, and it is not an address", gitstore.ErrNoRemote, stated)
	case !usableAddress(stated):
		return r, core.UsageErrorf(hint.New("write an address as %s takes it: https://…, ssh://…, git@host:path, or a folder", hint.Do(hint.Git, "clone")), "%q is not an address of a remote", gitstore.WithoutSecrets(stated))
	case taken:
		return r, core.UsageErrorf(hint.Hint{}, "there is a remote %s with another address; rename or remove it first", dedicatedRemote)
	}
	return remote{name: dedicatedRemote, address: stated, isNew: true, dedicated: true}, nil
}

// usableAddress rejects what git would treat as an option or as a program to run (ext::…):
// an address may come from somebody else.
func usableAddress(address string) bool {
	return address != "" && address[0] != '-' && !strings.Contains(address, "::") &&
		!strings.ContainsFunc(address, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// addRemote adds a remote, and returns the footprint of it.
func (m *Sharer) addRemote(ctx context.Context, r remote) ([]core.Footprint, error) {
	if err := m.Store.AddRemote(ctx, r.name, r.address); err != nil {
		return nil, err
	}
	return []core.Footprint{{What: "a remote for the memory alone", Where: "git remote " + r.name, Remove: "git remote remove " + r.name}}, nil
}

// track sets git up to fetch and push the memory, and returns the settings it added.
func (m *Sharer) track(ctx context.Context, name string) (added []string, footprint []core.Footprint, err error) {
	added, err = m.Store.Track(ctx, name)
	for _, setting := range added {
		key, value, _ := strings.Cut(setting, " = ")
		footprint = append(footprint, core.Footprint{
			What: "a setting, so that plain git brings the memory along", Where: "git config: " + setting,
			Remove: "git config --fixed-value --unset " + key + " '" + value + "'",
		})
	}
	return added, footprint, err
}

// CheckVisibility checks who can read the remote that the memory is shared with; ok is false
// if there is no remote to ask.
func (m *Sharer) CheckVisibility(ctx context.Context) (c core.Check, ok bool) {
	c = core.Check{Name: "visibility", OK: true}
	name, err := m.upstream(ctx)
	if err != nil || name == "" {
		return c, false
	}
	switch v, err := m.RemoteVisibility(ctx, name); {
	case err != nil || v == Local:
		return c, false
	case v == Unknown:
		c.Problem = "who can read " + name + " could not be found out"
	case v == Public:
		c.Problem = "anybody can read " + name + ", and so the memory that is there"
		c.Hint = "`engram init --remote ADDRESS` shares it with a private repository of its own instead"
	}
	return c, true
}
