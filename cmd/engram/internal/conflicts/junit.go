package conflicts

import (
	"encoding/xml"
	"fmt"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/term"
	"engram/memory"
)

// JUnit XML, in the form that CI servers agree on.

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// junitOf is one suite with a test for each open conflict, which fails where the
// conflict fails the check. A clean memory passes one test.
func junitOf(r memory.CheckResult) junitSuites {
	suite := junitSuite{Name: "engram check", Failures: r.Failing}
	for _, c := range r.Conflicts {
		test := junitCase{Class: "engram." + c.Tier, Name: c.Explanation + " (" + show.ShortID(c.Conflict) + ")"}
		text := fmt.Sprintf("%s\nseverity %s, %s, conflict %s", conflictMessage(c.Conflict), c.Severity, c.Verdict, c.ConflictID)
		if c.Fails {
			test.Failure = &junitFailure{c.Explanation, c.Severity, text}
		} else {
			test.Output = text
		}
		suite.Cases = append(suite.Cases, test)
	}
	suite.addViolations(r.Violations)
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Class: "engram", Name: "no open conflict", Output: "revision " + r.Revision}}
	}
	suite.Tests = len(suite.Cases)
	return junitSuites{Suites: []junitSuite{suite}}
}

// printXML writes one document.
func printXML(out *term.Streams, v any) error {
	out.Printf("%s", xml.Header)
	e := xml.NewEncoder(out.Data)
	e.Indent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	out.Printf("\n")
	return nil
}
