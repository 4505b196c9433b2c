package object

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Person is a name and an email, as commits have them.
type Person struct{ Name, Email string }

func (p Person) String() string { return p.Name + " <" + p.Email + ">" }

// ParseIdentity reads "name <email> seconds zone". The person is right even
// if the date is not.
func ParseIdentity(s string) (Person, time.Time, error) {
	open, end := strings.IndexByte(s, '<'), strings.LastIndexByte(s, '>')
	if open < 0 || end < open {
		return Person{Name: s}, time.Time{}, fmt.Errorf("%q is not an identity", s)
	}
	p := Person{strings.TrimSpace(s[:open]), s[open+1 : end]}
	date, _, _ := strings.Cut(strings.TrimSpace(s[end+1:]), " ")
	seconds, err := strconv.ParseInt(date, 10, 64)
	if err != nil {
		return p, time.Time{}, fmt.Errorf("%q has no date", s)
	}
	return p, time.Unix(seconds, 0).UTC(), nil
}
