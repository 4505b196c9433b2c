package catchup

import "time"

// NoIndex is the reason of a rebuild that was the first build.
const NoIndex = "there was no index"

// Report says what a look at the index did and reflects.
type Report struct {
	Revision string        // the revision the index reflects now
	Rebuilt  bool          // whether it was built anew
	Reason   string        // why, for a person, where Rebuilt
	Indexed  int           // states written
	Skipped  int           // states that are no fact, since the last rebuild
	Took     time.Duration // catching up or rebuilding; 0 where nothing was to do
}
