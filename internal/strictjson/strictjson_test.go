package strictjson_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"engram/internal/strictjson"
)

type inner struct {
	Ref string `json:"ref"`
}

type outer struct {
	inner
	Name  string           `json:"name,omitempty"`
	List  []inner          `json:"list"`
	One   *inner           `json:"one"`
	Named map[string]inner `json:"named"`
	Own   decodesItself    `json:"own"`
	Plain string
	Gone  string `json:"-"`
	Free  any    `json:"free"`
}

type decodesItself struct{}

func (*decodesItself) UnmarshalJSON([]byte) error { return nil }

func TestCheck(t *testing.T) {
	for _, text := range []string{
		`{}`, ` {"name":"x","ref":"y","list":[{"ref":"a"},{"ref":"b"}],"one":{"ref":"c"},"named":{"Ref":{"ref":"d"},"ref":{}},"own":{"X":1,"x":2},"Plain":"p","gone":1} `,
		`{"unknown":1,"free":{"a":[{"b":1},{"b":2}]}}`, `{"list":null,"one":null}`, `[]`, `1`,
	} {
		if err := strictjson.Check([]byte(text), reflect.TypeFor[outer]()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		`{"name":"x","name":"y"}`:              `"name" is given twice`,
		`{"name":"x","n\u0061me":"y"}`:         `"name" is given twice`,
		`{"list":[{"ref":"a","ref":"b"}]}`:     `"ref" is given twice`,
		`{"free":{"a":[{"b":{"c":1,"c":2}}]}}`: `"c" is given twice`,
		`{"own":{"x":1,"x":2}}`:                `"x" is given twice`,
		`{"unknown":{"x":1,"x":2}}`:            `"x" is given twice`,
		`{"NAME":"x"}`:                         `no field "NAME"`,
		`{"Ref":"x"}`:                          `no field "Ref"`,
		`{"plain":"x"}`:                        `no field "plain"`,
		`{"list":[{"ref":"a"},{"REF":"b"}]}`:   `no field "REF"`,
		`{"one":{"reF":"b"}}`:                  `no field "reF"`,
		`{"named":{"a":{"Ref":"b"}}}`:          `no field "Ref"`,
		"{\"li\u017ft\":[]}":                   "no field",
		`{}]`:                                  "after top-level value",
		`{"name":"x"}}]`:                       "after top-level value",
		`{} {}`:                                "after top-level value",
		`{`:                                    "unexpected end",
		``:                                     "unexpected end",
		strings.Repeat("[", 1<<20):             "max depth",
	} {
		if err := strictjson.Check([]byte(text), reflect.TypeFor[outer]()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v; want %s", text, err, want)
		}
	}
}

// FuzzCheck: what is let pass, encoding/json reads the same whatever the letters.
func FuzzCheck(f *testing.F) {
	f.Add(`{"name":"x","list":[{"ref":"a"}],"free":{"a":1}}`)
	f.Add(`{"NAME":"x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		if strictjson.Check([]byte(text), reflect.TypeFor[outer]()) != nil {
			return
		}
		if !json.Valid([]byte(text)) {
			t.Errorf("%q was let pass", text)
		}
	})
}
