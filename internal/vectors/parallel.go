package vectors

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// worthSharing is the number of rows below which another goroutine costs more than it
// saves.
const worthSharing = 500

// share divides n rows among as many goroutines as there are processors. A panic in one of
// them, such as for a file that is shorter than its mapping, is raised in the caller.
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
