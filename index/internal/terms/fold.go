package terms

import "strings"

// fold lower-cases s and writes accented letters without their accents, so that
// either spelling finds the other.
func fold(s string) string {
	s = strings.ToLower(s)
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 0x300 && r <= 0x36f: // an accent of its own
		case r == 'ß':
			b.WriteString("ss")
		case r == 'æ':
			b.WriteString("ae")
		case r == 'œ':
			b.WriteString("oe")
		case r == 'þ':
			b.WriteString("th")
		default:
			b.WriteRune(withoutAccent(r))
		}
	}
	return b.String()
}

// withoutAccent covers the letters of Latin and Cyrillic that Unicode composes
// of a letter and accents (UnicodeData.txt, canonical decompositions), and the
// few strokes that people leave out as well.
func withoutAccent(r rune) rune {
	switch r {
	case 'à', 'á', 'â', 'ã', 'ä', 'å', 'ā', 'ă', 'ą', 'ǎ', 'ǟ', 'ǡ', 'ǻ', 'ȁ', 'ȃ', 'ȧ', 'ḁ', 'ạ', 'ả', 'ấ', 'ầ', 'ẩ', 'ẫ', 'ậ', 'ắ', 'ằ', 'ẳ', 'ẵ', 'ặ':
		return 'a'
	case 'ḃ', 'ḅ', 'ḇ':
		return 'b'
	case 'ç', 'ć', 'ĉ', 'ċ', 'č', 'ḉ':
		return 'c'
	case 'ď', 'ḋ', 'ḍ', 'ḏ', 'ḑ', 'ḓ', 'đ', 'ð':
		return 'd'
	case 'è', 'é', 'ê', 'ë', 'ē', 'ĕ', 'ė', 'ę', 'ě', 'ȅ', 'ȇ', 'ȩ', 'ḕ', 'ḗ', 'ḙ', 'ḛ', 'ḝ', 'ẹ', 'ẻ', 'ẽ', 'ế', 'ề', 'ể', 'ễ', 'ệ':
		return 'e'
	case 'ḟ':
		return 'f'
	case 'ĝ', 'ğ', 'ġ', 'ģ', 'ǧ', 'ǵ', 'ḡ':
		return 'g'
	case 'ĥ', 'ȟ', 'ḣ', 'ḥ', 'ḧ', 'ḩ', 'ḫ', 'ẖ', 'ħ':
		return 'h'
	case 'ì', 'í', 'î', 'ï', 'ĩ', 'ī', 'ĭ', 'į', 'ǐ', 'ȉ', 'ȋ', 'ḭ', 'ḯ', 'ỉ', 'ị', 'ı':
		return 'i'
	case 'ĵ', 'ǰ':
		return 'j'
	case 'ķ', 'ǩ', 'ḱ', 'ḳ', 'ḵ':
		return 'k'
	case 'ĺ', 'ļ', 'ľ', 'ḷ', 'ḹ', 'ḻ', 'ḽ', 'ł':
		return 'l'
	case 'ḿ', 'ṁ', 'ṃ':
		return 'm'
	case 'ñ', 'ń', 'ņ', 'ň', 'ǹ', 'ṅ', 'ṇ', 'ṉ', 'ṋ':
		return 'n'
	case 'ò', 'ó', 'ô', 'õ', 'ö', 'ō', 'ŏ', 'ő', 'ơ', 'ǒ', 'ǫ', 'ǭ', 'ȍ', 'ȏ', 'ȫ', 'ȭ', 'ȯ', 'ȱ', 'ṍ', 'ṏ', 'ṑ', 'ṓ', 'ọ', 'ỏ', 'ố', 'ồ', 'ổ', 'ỗ', 'ộ', 'ớ', 'ờ', 'ở', 'ỡ', 'ợ', 'ø':
		return 'o'
	case 'ṕ', 'ṗ':
		return 'p'
	case 'ŕ', 'ŗ', 'ř', 'ȑ', 'ȓ', 'ṙ', 'ṛ', 'ṝ', 'ṟ':
		return 'r'
	case 'ś', 'ŝ', 'ş', 'š', 'ș', 'ṡ', 'ṣ', 'ṥ', 'ṧ', 'ṩ':
		return 's'
	case 'ţ', 'ť', 'ț', 'ṫ', 'ṭ', 'ṯ', 'ṱ', 'ẗ', 'ŧ':
		return 't'
	case 'ù', 'ú', 'û', 'ü', 'ũ', 'ū', 'ŭ', 'ů', 'ű', 'ų', 'ư', 'ǔ', 'ǖ', 'ǘ', 'ǚ', 'ǜ', 'ȕ', 'ȗ', 'ṳ', 'ṵ', 'ṷ', 'ṹ', 'ṻ', 'ụ', 'ủ', 'ứ', 'ừ', 'ử', 'ữ', 'ự':
		return 'u'
	case 'ṽ', 'ṿ':
		return 'v'
	case 'ŵ', 'ẁ', 'ẃ', 'ẅ', 'ẇ', 'ẉ', 'ẘ':
		return 'w'
	case 'ẋ', 'ẍ':
		return 'x'
	case 'ý', 'ÿ', 'ŷ', 'ȳ', 'ẏ', 'ẙ', 'ỳ', 'ỵ', 'ỷ', 'ỹ':
		return 'y'
	case 'ź', 'ż', 'ž', 'ẑ', 'ẓ', 'ẕ':
		return 'z'
	case 'ǣ', 'ǽ':
		return 'æ'
	case 'ǿ':
		return 'ø'
	case 'ẛ':
		return 'ſ'
	case 'ǯ':
		return 'ʒ'
	case 'ѓ':
		return 'г'
	case 'ѐ', 'ё':
		return 'е'
	case 'й', 'ѝ':
		return 'и'
	case 'ќ':
		return 'к'
	case 'ў':
		return 'у'
	case 'ї':
		return 'і'
	}
	return r
}
