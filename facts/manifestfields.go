package facts

import (
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// UnknownField is a field of engram.yml that this version does not know: a field of
// a later version, or a misspelled one that therefore has no effect.
type UnknownField struct {
	Name    string `json:"name"`              // below a group with its name, as in review.authors
	Nearest string `json:"nearest,omitempty"` // the most similar known field; "" if none is similar
}

// UnknownFields lists the fields of an engram.yml that ParseManifest ignores. It
// returns nil if the text is not a mapping.
func UnknownFields(b []byte) []UnknownField {
	root, err := rootMapping(b)
	if err != nil {
		return nil
	}
	list := unknownIn(root, "", new(Manifest).fields())
	for i := 0; i < len(root.Content); i += 2 {
		if v := root.Content[i+1]; root.Content[i].Value == "review" && v.Kind == yaml.MappingNode {
			list = append(list, unknownIn(v, "review.", new(Review).fields())...)
		}
	}
	return list
}

// unknownIn lists the fields of a mapping that are not in fields. It does not suggest
// the field purged, which only engram writes.
func unknownIn(v *yaml.Node, prefix string, fields []field) (list []UnknownField) {
	for i := 0; i < len(v.Content); i += 2 {
		name := v.Content[i].Value
		if indexOf(fields, name) >= 0 {
			continue
		}
		u := UnknownField{Name: prefix + abridge(name, 60)}
		for _, f := range fields {
			if f.name != purgedField && nearlySame(name, f.name) {
				u.Nearest = prefix + f.name
			}
		}
		list = append(list, u)
	}
	return list
}

// nearlySame reports whether the edit distance of two names is at most a quarter of
// their letters, and at least two.
func nearlySame(a, b string) bool {
	most := max(2, len(b)/4)
	if len(a) > len(b)+most || len(b) > len(a)+most {
		return false
	}
	return EditDistance(typed(a), typed(b)) <= most
}

// EditDistance counts the letters to insert, delete or replace until one text is the
// other (Levenshtein).
func EditDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// typed returns a name in lower case with underscores for hyphens.
func typed(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// ManifestChanges names the fields that differ between two texts of engram.yml,
// sorted. Comments and the order of fields make no difference.
func ManifestChanges(before, after []byte) []string {
	old, new := manifestValues(before), manifestValues(after)
	names := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(new))
	slices.Sort(names)
	var changed []string
	for _, name := range slices.Compact(names) {
		if old[name] != new[name] {
			changed = append(changed, name)
		}
	}
	return changed
}

// manifestValues are the values of the fields, as canonical YAML.
func manifestValues(b []byte) map[string]string {
	values := make(map[string]string)
	root, err := rootMapping(b)
	if err != nil {
		return values
	}
	var fields []Unknown
	if err := eachField(root, nil, &fields); err != nil {
		return values
	}
	for _, f := range fields {
		values[f.Name] = f.YAML
	}
	return values
}
