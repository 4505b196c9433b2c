package facts

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Change is one field that differs between two versions of a fact.
type Change struct {
	Field string `json:"field"`
	From  string `json:"from"` // "" if it was not stated
	To    string `json:"to"`   // "" if it is not stated any more
}

// Diff lists what b states differently from a, in the order of the canonical
// form. The key, and fields that differ with every version (id, supersedes,
// created_at), are omitted.
func Diff(a, b Fact) []Change {
	changes := []Change{}
	before, after := a.stated(), b.stated()
	for i, f := range before {
		from, to := shownText(f.value), shownText(after[i].value)
		switch f.name {
		case "key", "id", "supersedes", "created_at":
		default:
			if from != to {
				changes = append(changes, Change{f.name, from, to})
			}
		}
	}
	return changes
}

// stated are the fields of the fact and of its provenance.
func (f *Fact) stated() []field {
	own, from := f.fields(), f.Provenance.fields()
	return slices.Concat(own[:], from[:])
}

// shownText is the value of a field as a person reads it; "" if it was not stated.
func shownText(value any) string {
	switch v := value.(type) {
	case *string:
		return *v
	case *lines:
		return string(*v)
	case *Key:
		return v.String()
	case **float64:
		return number(*v)
	case *[]string:
		return strings.Join(*v, ", ")
	case *[]Pointer:
		return refs(*v)
	case *time.Time:
		return moment(*v)
	}
	return ""
}

func number(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

func refs(pointers []Pointer) string {
	list := make([]string, len(pointers))
	for i, p := range pointers {
		list[i] = p.Ref
	}
	return strings.Join(list, " ")
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeLayout)
}
