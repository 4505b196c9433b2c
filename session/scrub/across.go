package scrub

import "slices"

// A secret that is cut in two by a client's blocks shows in neither. What stands around
// each cut is looked at as one text, in windows that overlap by half.
const (
	window = 8 << 10
	// labelled is how far before a secret the cut may be: its name stands before the cut.
	labelled = 100
)

// across redacts the secrets that show only where texts of an array are joined: its
// strings, or those that its objects have as text or content.
func (s *scrubber) across(raw []byte, strs []str, objects []object) (clean []byte, changed bool) {
	if s.any {
		return raw, false
	}
	arrays := map[int][]int{} // strings, by their number
	for i, str := range strs {
		if str.array < 0 || str.isKey || str.object >= 0 && (str.key != "text" && str.key != "content" || objects[str.object].media) {
			continue
		}
		arrays[str.array] = append(arrays[str.array], i)
	}
	fresh := map[int]string{}
	for _, parts := range arrays {
		if len(parts) > 1 {
			s.join(raw, strs, parts, fresh)
		}
	}
	if len(fresh) == 0 {
		return raw, false
	}
	done := 0
	for i, str := range strs {
		if text, ok := fresh[i]; ok {
			clean = appendString(append(clean, raw[done:str.start]...), text)
			done = str.end
		}
	}
	return append(clean, raw[done:]...), true
}

// join looks at the texts of one array, and puts those that change into fresh.
func (s *scrubber) join(raw []byte, strs []str, parts []int, fresh map[int]string) {
	var text []byte
	ends := make([]int, len(parts)) // of each part in text
	for i, part := range parts {
		if decoded := strs[part].decode(raw); !isDataURL(decoded) {
			text = append(text, decoded...)
		}
		ends[i] = len(text)
	}
	begin, next := 0, 0 // of the part that is not looked through yet, and its number
	for from := 0; from < len(text); from += window / 2 {
		start, end, rule := s.overCut(text, from, ends[:len(ends)-1])
		if rule == "" {
			continue
		}
		for ; next < len(parts) && begin < end; begin, next = ends[next], next+1 {
			if a, b := max(begin, start), min(ends[next], end); a < b {
				fresh[parts[next]] = string(text[begin:a]) + "[redacted: " + rule + "]" + string(text[b:ends[next]])
			}
		}
		from = max(from, end)
	}
}

// overCut returns where, in the window from a place on, a secret is that a cut hides.
func (s *scrubber) overCut(text []byte, from int, cuts []int) (start, end int, rule string) {
	to := min(from+window, len(text))
	if next, _ := slices.BinarySearch(cuts, from+1); next == len(cuts) || cuts[next] >= to {
		return 0, 0, ""
	}
	seen := string(text[from:to])
	redacted, rules := s.redactor.Redact(seen)
	if len(rules) == 0 {
		return 0, 0, ""
	}
	same := common(seen, redacted)
	start, end = from+same, to
	for a, b := len(seen), len(redacted); a > same && b > same && seen[a-1] == redacted[b-1]; a, b = a-1, b-1 {
		end--
	}
	near, _ := slices.BinarySearch(cuts, start-labelled)
	if near == len(cuts) || cuts[near] >= end || start == from && from > 0 || end == to && to < len(text) {
		return 0, 0, "" // it is not the cut that hid it
	}
	s.count(rules)
	return start, end, rules[0]
}

// common is the length of what two texts begin with alike.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
