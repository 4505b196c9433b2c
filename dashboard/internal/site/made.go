package site

import (
	"slices"
	"sync"
)

// mostMade is how many commits are offered to be taken back at a time.
const mostMade = 1000

// made are the newest commits that were made here. Only these are offered to be taken back, so that a
// link from elsewhere cannot offer others.
type made struct {
	mu   sync.Mutex
	list []string
}

func (m *made) add(revision string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = append(m.list, revision)
	if len(m.list) > mostMade {
		m.list = slices.Delete(m.list, 0, mostMade/2)
	}
}

func (m *made) has(revision string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Contains(m.list, revision)
}
