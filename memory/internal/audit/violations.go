package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// The kinds of violations.
const (
	ViolatesPermission = "permission"
	ViolatesRate       = "rate"
	ViolatesSignature  = "signature"
)

// Violation is a change on the branch that the team's policy forbids: it was made with plain
// git, with a modified engram, or on another machine.
type Violation struct {
	Kind     string    `json:"kind"`            // permission, rate or signature
	Key      string    `json:"key,omitempty"`   // of the fact; of a rate, of the first one above it
	Scope    string    `json:"scope,omitempty"` // of that fact
	Agent    string    `json:"agent_id,omitempty"`
	Engineer string    `json:"engineer,omitempty"`
	Revision string    `json:"revision,omitempty"` // the commit, if it is known
	At       time.Time `json:"at,omitzero"`        // when the fact says that it was written
	Message  string    `json:"message"`
}

// Bounds of what violations cost.
const (
	maxViolations = 200 // listed; one more says how many there are beside them
	maxPolicies   = 100 // versions of engram.yml that are looked at
	maxAttributed = 20  // violations whose commit is looked for
	readBatch     = 500 // facts
)

// policyVersion is engram.yml as it stood from a moment on.
type policyVersion struct {
	from     time.Time
	revision string
	manifest facts.Manifest
}

// violations compares what changed in the range of an audit with the policy, as it is now and
// as it was when each fact was written by its own account. What either version allows is no
// violation: so a team can start to forbid something, and can accept what happened by
// allowing it.
func (a *audit) violations(ctx context.Context) ([]Violation, error) {
	list := []Violation{}
	manifest, err := a.m.Manifest(ctx, a.result.To)
	if err != nil {
		return list, err
	}
	j := policyChecker{audit: a, now: manifest}
	if err := j.read(ctx); err != nil {
		return list, err
	}
	for _, check := range []func(context.Context) ([]Violation, error){j.permissions, j.rates, j.signatures} {
		found, err := check(ctx)
		if err != nil {
			return list, err
		}
		list = append(list, found...)
	}
	if more := len(list) - maxViolations; more > 0 {
		list = append(list[:maxViolations:maxViolations], Violation{Kind: list[maxViolations].Kind, Message: fmt.Sprintf("%d more are not listed", more)})
	}
	return list, nil
}

// openViolations returns those just found and the violations of permissions that earlier
// audits of this clone found, if the fact is unchanged and the policy still forbids it. So a
// check gives the same result before and after an audit.
func (a *audit) openViolations(ctx context.Context, found []Violation) ([]Violation, error) {
	var kept []Violation
	a.m.compare.ReadState(ViolationsFile, &kept)
	manifest, err := a.m.Manifest(ctx, a.tip)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(found)
	for _, v := range kept {
		known := slices.ContainsFunc(list, func(w Violation) bool { return w.Kind == v.Kind && w.Key == v.Key && w.At.Equal(v.At) })
		key, err := facts.ParseKey(v.Key)
		if err != nil || known || manifest.Permissions.Allow(v.Agent, v.Scope, facts.Write, v.At) {
			continue
		}
		f, ok := a.m.readable(ctx, a.tip, key)
		if ok && f.StateAt(a.Now) == facts.Current && f.Provenance.Agent == v.Agent && f.Provenance.CreatedAt.Equal(v.At) {
			list = append(list, v)
		}
	}
	return list, ctx.Err()
}

// rememberViolations stores the violations of permissions for later checks.
func (a *audit) rememberViolations(ctx context.Context, found []Violation) error {
	list, err := a.openViolations(ctx, found)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(v Violation) bool { return v.Kind != ViolatesPermission || v.Key == "" })
	return a.m.compare.WriteState(ViolationsFile, list)
}

// statement has the fields of a fact that a policy is about.
type statement struct {
	key                    facts.Key
	scope, agent, engineer string
	at                     time.Time // when the fact says that it was written
}

// policyChecker compares facts with policies.
type policyChecker struct {
	*audit
	now      facts.Manifest
	changed  []statement     // in the range, and standing
	versions []policyVersion // newest first; nil until they are needed
}

// read reads what changed, if any policy could speak against it: audits write for
// nobody, and what does not hold any more was settled.
func (j *policyChecker) read(ctx context.Context) error {
	if len(j.now.Permissions) == 0 && (j.now.RateLimit == 0 || len(j.blobs) <= j.now.RateLimit) {
		return nil
	}
	for blobs := range slices.Chunk(j.blobs, readBatch) {
		texts, err := j.m.Store.Blobs(ctx, blobs)
		if err != nil {
			return err
		}
		for _, text := range texts {
			f, err := facts.Parse(text)
			if err != nil {
				continue // lint's to report
			}
			state := f.StateAt(j.audit.Now)
			if state != facts.Current && state != facts.Scheduled || detect.IsConflict(f.Key) || f.Key.HasPrefix("calibration/detection") {
				continue
			}
			written := core.FillUnstated(f).Provenance.CreatedAt
			j.changed = append(j.changed, statement{f.Key, f.Scope, f.Provenance.Agent, f.Provenance.Engineer, written})
		}
	}
	return nil
}

// history is what the policy was. It is asked for only once something speaks
// against somebody.
func (j *policyChecker) history(ctx context.Context) ([]policyVersion, error) {
	if j.versions != nil {
		return j.versions, nil
	}
	entries, err := j.m.Store.History(ctx, j.result.To, facts.ManifestPath, maxPolicies)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.New == "" {
			continue
		}
		data, err := j.m.Store.Blob(ctx, e.New)
		if err != nil {
			return nil, err
		}
		manifest, err := facts.ParseManifest(data)
		if err != nil {
			continue // nobody could follow it
		}
		j.versions = append(j.versions, policyVersion{e.Date, e.Revision, manifest})
	}
	return j.versions, nil
}

// policyAt is the policy of a moment: the oldest there is, for one before it.
func (j *policyChecker) policyAt(ctx context.Context, moment time.Time) (facts.Manifest, error) {
	versions, err := j.history(ctx)
	if err != nil || len(versions) == 0 {
		return j.now, err
	}
	for _, v := range versions {
		if !v.from.After(moment) {
			return v.manifest, nil
		}
	}
	return versions[len(versions)-1].manifest, nil
}

func (j *policyChecker) permissions(ctx context.Context) (list []Violation, err error) {
	if len(j.now.Permissions) == 0 {
		return nil, nil
	}
	for _, s := range j.changed {
		if s.allowed(j.now) {
			continue
		}
		then, err := j.policyAt(ctx, s.at)
		if err != nil {
			return nil, err
		}
		if s.allowed(then) {
			continue
		}
		refused := core.PermissionError{Agent: s.agent, Scope: s.scope, Access: facts.Write}
		v := Violation{
			Kind: ViolatesPermission, Key: s.key.String(), Scope: s.scope, Agent: s.agent, Engineer: s.engineer, At: s.at,
			Message: refused.What() + ", and did",
		}
		if len(list) < maxAttributed {
			last, err := j.m.Store.History(ctx, j.result.To, s.key.Path(), 1)
			if err != nil {
				return nil, err
			}
			if len(last) > 0 {
				v.Revision = last[0].Revision
			}
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Violation) int { return cmp.Compare(a.Key, b.Key) })
	return list, nil
}

// allowed reports whether a policy lets the agent write there. Behind an alias
// there may be any agent that a permission names.
func (s statement) allowed(m facts.Manifest) bool {
	agents := []string{s.agent}
	if m.AnonAgents && core.IsAlias(s.agent) {
		for _, p := range m.Permissions {
			agents = append(agents, p.Agent)
		}
	}
	return slices.ContainsFunc(agents, func(agent string) bool {
		return m.Permissions.Allow(agent, s.scope, facts.Write, s.at)
	})
}

// rates counts the moments at which each agent wrote: what one commit writes has
// one.
func (j *policyChecker) rates(ctx context.Context) (list []Violation, err error) {
	if j.now.RateLimit == 0 {
		return nil, nil
	}
	byAgent := make(map[string][]statement)
	for _, s := range j.changed {
		if s.agent != "" {
			byAgent[s.agent] = append(byAgent[s.agent], s)
		}
	}
	for _, statements := range byAgent {
		v, found, err := j.rate(ctx, statements)
		if err != nil {
			return nil, err
		}
		if found {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b Violation) int { return cmp.Compare(a.Agent, b.Agent) })
	return list, nil
}

// rate finds the hour in which an agent wrote most, if that is too much.
func (j *policyChecker) rate(ctx context.Context, list []statement) (v Violation, found bool, err error) {
	slices.SortFunc(list, func(a, b statement) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.key.String(), b.key.String()))
	})
	list = slices.CompactFunc(list, func(a, b statement) bool { return a.at.Equal(b.at) })
	first, most := 0, j.now.RateLimit
	for i, s := range list {
		for !list[first].at.After(s.at.Add(-core.RatePeriod)) {
			first++
		}
		n := i - first + 1 // in the hour that ends with s
		if n <= most {
			continue
		}
		then, err := j.policyAt(ctx, s.at)
		if err != nil {
			return v, false, err
		}
		if then.RateLimit == 0 || n <= then.RateLimit {
			continue
		}
		if most = n; !found {
			found = true
			v = Violation{Kind: ViolatesRate, Key: s.key.String(), Agent: s.agent, Engineer: s.engineer, At: s.at}
		}
		v.Message = fmt.Sprintf("the agent %s wrote %d times in the hour from %s on; %d is the limit",
			s.agent, n, list[first].at.Format(time.RFC3339), max(j.now.RateLimit, then.RateLimit))
	}
	return v, found, nil
}

// signatures lists the commits of the range without a signature that this clone trusts.
// Commits before the last change of engram.yml do not count: signing a new version of it
// accepts the past.
func (j *policyChecker) signatures(ctx context.Context) (list []Violation, err error) {
	if !j.now.SignedCommits || j.result.From == j.result.To {
		return nil, nil
	}
	versions, err := j.history(ctx)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	without := []string{versions[0].revision + "^@"}
	if j.result.From != "" {
		without = append(without, j.result.From)
	}
	commits, more, err := j.m.Store.Signatures(ctx, j.result.To, without...)
	if err != nil {
		return nil, err
	}
	for _, c := range commits {
		if !c.Good() {
			list = append(list, Violation{Kind: ViolatesSignature, Engineer: c.Author, Revision: c.Revision, Message: describeSignature(c)})
		}
	}
	if more {
		list = append(list, Violation{Kind: ViolatesSignature, Message: fmt.Sprintf("there are more than %d commits; the signatures of older ones were not checked", gitstore.MaxSignatures)})
	}
	return list, nil
}

// describeSignature says what is wrong with a signature.
func describeSignature(s gitstore.Signature) string {
	what := map[string]string{
		"N": "has no signature",
		"B": "has a bad signature",
		"U": "is signed by a key that is not trusted here, " + s.Key,
		"R": "is signed by a key that was revoked, " + s.Key,
		"E": "has a signature that cannot be checked here",
	}[s.Status]
	return fmt.Sprintf("commit %s (%s) %s", s.Revision[:min(len(s.Revision), 7)], s.Subject, cmp.Or(what, "has no good signature"))
}

// Violations lists the changes between two revisions that violate the policy; "" means the
// same as in AuditInput. Audit and Check report the same.
func (m *Auditor) Violations(ctx context.Context, from, to string) ([]Violation, error) {
	a, err := m.newAudit(ctx, AuditInput{From: from, To: to, All: from == "" && to == ""})
	if err != nil {
		return nil, err
	}
	return a.violations(ctx)
}
