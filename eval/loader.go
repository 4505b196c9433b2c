package eval

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoData is a suite without the folder that its data is in.
var ErrNoData = errors.New("the suite needs a folder of data")

// ErrUnknownSuite is a name that no suite has.
var ErrUnknownSuite = errors.New("no such suite")

// loader makes suites out of a folder of data. Most make one, some variants.
type loader[S any] struct {
	name  string
	data  bool // it needs the folder
	asked bool // it runs only where it is asked for by name
	load  func(dir string) ([]S, error)
}

// one is the load of a loader that makes one suite.
func one[S any](load func(dir string) (S, error)) func(string) ([]S, error) {
	return func(dir string) ([]S, error) {
		s, err := load(dir)
		return []S{s}, err
	}
}

func loaderNames[S any](known []loader[S]) []string {
	var names []string
	for _, l := range known {
		names = append(names, l.name)
	}
	return names
}

// choose picks the loaders of the suites that are named, in the order in which
// they are known. Without names it picks all that run unasked, and without data
// those of them that need none.
func choose[S any](known []loader[S], data string, names []string) ([]loader[S], error) {
	for _, name := range names {
		if all := loaderNames(known); !slices.Contains(all, name) {
			return nil, fmt.Errorf("%w: %q is none of %v", ErrUnknownSuite, name, all)
		}
	}
	var chosen []loader[S]
	for _, l := range known {
		wanted := slices.Contains(names, l.name)
		if len(names) == 0 {
			wanted = !l.asked && (data != "" || !l.data)
		}
		switch {
		case !wanted:
		case l.data && data == "":
			return nil, fmt.Errorf("%w: %s", ErrNoData, l.name)
		default:
			chosen = append(chosen, l)
		}
	}
	return chosen, nil
}

// eachSuite loads what choose picks and runs the suites one after the other.
func eachSuite[S any](known []loader[S], data string, names []string, run func(S) error) error {
	chosen, err := choose(known, data, names)
	if err != nil {
		return err
	}
	for _, l := range chosen {
		suites, err := l.load(data)
		if err != nil {
			return fmt.Errorf("load suite %s: %w", l.name, err)
		}
		for _, s := range suites {
			if err := run(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// silent is progress that nobody watches.
func silent(string, int, int) {}
