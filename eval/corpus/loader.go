// Package corpus reads the data that is measured with, and fills throw-away memories
// with it.
package corpus

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoData: a suite needs a folder of data, and none was given.
var ErrNoData = errors.New("the suite needs a folder of data")

// ErrUnknownSuite: no suite has that name.
var ErrUnknownSuite = errors.New("no such suite")

// Loader makes suites out of a folder of data. Most make one, some variants.
type Loader[S any] struct {
	Name  string
	Data  bool // it needs the folder
	Asked bool // it runs only if it is named
	Load  func(dir string) ([]S, error)
}

// One is the load of a loader that makes one suite.
func One[S any](load func(dir string) (S, error)) func(string) ([]S, error) {
	return func(dir string) ([]S, error) {
		s, err := load(dir)
		return []S{s}, err
	}
}

// LoaderNames lists the names of loaders.
func LoaderNames[S any](known []Loader[S]) []string {
	var names []string
	for _, l := range known {
		names = append(names, l.Name)
	}
	return names
}

// choose picks the loaders of the suites that are named, in the order in which
// they are known. Without names it picks all that run unasked, and without data
// those of them that need none.
func choose[S any](known []Loader[S], data string, names []string) ([]Loader[S], error) {
	for _, name := range names {
		if all := LoaderNames(known); !slices.Contains(all, name) {
			return nil, fmt.Errorf("%w: %q is not one of %v", ErrUnknownSuite, name, all)
		}
	}
	var chosen []Loader[S]
	for _, l := range known {
		wanted := slices.Contains(names, l.Name)
		if len(names) == 0 {
			wanted = !l.Asked && (data != "" || !l.Data)
		}
		switch {
		case !wanted:
		case l.Data && data == "":
			return nil, fmt.Errorf("%w: %s", ErrNoData, l.Name)
		default:
			chosen = append(chosen, l)
		}
	}
	return chosen, nil
}

// EachSuite loads what choose picks and runs the suites one after the other.
func EachSuite[S any](known []Loader[S], data string, names []string, run func(S) error) error {
	chosen, err := choose(known, data, names)
	if err != nil {
		return err
	}
	for _, l := range chosen {
		suites, err := l.Load(data)
		if err != nil {
			return fmt.Errorf("load suite %s: %w", l.Name, err)
		}
		for _, s := range suites {
			if err := run(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// Silent is progress that nobody watches.
func Silent(string, int, int) {}
