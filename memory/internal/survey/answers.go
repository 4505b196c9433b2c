package survey

import (
	"fmt"
	"sync"
	"time"

	"engram/index"
)

// answers keeps what the index found while neither the branch nor time changes it: many
// people look at the same pages, and opening an index takes longer than showing one. It is
// safe for concurrent use.
type answers struct {
	mu   sync.Mutex
	kept map[string]answer
}

type answer struct {
	found index.SurveyResult // immutable
	at    time.Time
}

// maxAnswers bounds the answers that are kept, each some ten kilobytes.
const maxAnswers = 64

// questionOf names a query of a revision, apart from its moment, with evidence as it was
// checked at a time. What is disputed follows from the revision.
func questionOf(tip string, q index.SurveyQuery, checked time.Time) string {
	q.Now, q.Verdicts, q.Disputed = time.Time{}, nil, nil
	return fmt.Sprintf("%s %d %+v", tip, checked.UnixNano(), q)
}

func (a *answers) get(question string, now time.Time) (index.SurveyResult, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	k, known := a.kept[question]
	until := k.found.Until
	return k.found, known && !now.Before(k.at) && (until.IsZero() || now.Before(until))
}

func (a *answers) put(question string, now time.Time, found index.SurveyResult) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept == nil || len(a.kept) >= maxAnswers {
		a.kept = make(map[string]answer)
	}
	a.kept[question] = answer{found, now}
}
