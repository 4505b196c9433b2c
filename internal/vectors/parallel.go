package vectors

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// worthSharing is how many rows are compared in about the time that starting
// another goroutine takes, several times over.
const worthSharing = 500

// share lets as many goroutines as there are processors work on parts of n
// rows. A panic in one, such as of a file that ends before its mapping does, is
// the caller's.
func share(n int, work func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), n/worthSharing)
	if parts < 2 {
		work(0, n)
		return
	}
	panics := make([]any, parts)
	var workers sync.WaitGroup
	for i := range parts {
		workers.Go(func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() { panics[i] = recover() }()
			work(i*n/parts, (i+1)*n/parts)
		})
	}
	workers.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}
