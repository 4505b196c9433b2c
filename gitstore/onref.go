package gitstore

// OnRef is a view of the same repository with another reference, in full, in the
// place of the memory branch, to be read: Apply, Update and BeginAt refuse with
// ErrReadOnly. It shares the git processes of s, so it need not be closed and
// ends with s. name is what messages call it, stateDir what StateDir returns.
func (s *Store) OnRef(ref, name, stateDir string) *Store {
	return &Store{
		branch: name, ref: ref, gitDir: s.gitDir, commonDir: s.commonDir, objects: s.objects, workTree: s.workTree, bare: s.bare,
		stateDir: stateDir, view: true, now: s.now, log: s.log, cat: s.cat, code: s.code, refs: s.refs, who: s.who, sources: s.sources, reached: s.reached,
	}
}
