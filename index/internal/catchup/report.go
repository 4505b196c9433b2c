package catchup

import "time"

// NoIndex is the reason for a rebuild that was the first build.
const NoIndex = "there was no index"

// Report says what a call did, and what the index reflects.
type Report struct {
	Revision string        // the revision the index reflects now
	Rebuilt  bool          // whether it was rebuilt
	Reason   string        // why it was Rebuilt, for a person
	Indexed  int           // states written
	Skipped  int           // states that are not facts, since the last rebuild
	Took     time.Duration // catching up or rebuilding; 0 if there was nothing to do
}
