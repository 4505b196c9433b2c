package core

import "sync"

// Last keeps one answer, that to the last question: enough for what depends on a revision alone
// and is asked again until the branch moves. It is safe for concurrent use.
type Last[Q comparable, A any] struct {
	mu       sync.Mutex
	known    bool
	question Q
	answer   A
}

// Of answers a question by find, unless it was the last one. Errors are not kept. Callers share the
// answer and do not change it.
func (l *Last[Q, A]) Of(question Q, find func() (A, error)) (A, error) {
	l.mu.Lock()
	if l.known && l.question == question {
		defer l.mu.Unlock()
		return l.answer, nil
	}
	l.mu.Unlock()
	answer, err := find()
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.known, l.question, l.answer = true, question, answer
	}
	return answer, err
}
