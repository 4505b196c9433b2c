package secret

// ownRules are for formats that gitleaks's rules miss or find only beside their vendor's
// name: webhook addresses, which are secrets as a whole, and tokens of bots. The formats are
// as we know them; they were not checked against the vendors' documents.
func ownRules() []ruleText {
	return []ruleText{
		// A UUID or hexadecimal beside words that say what it is, also in a sentence.
		{ID: "named-key", Regex: `(?i)\b(?:(?:api|access|auth|bot|secret|deploy|webhook)[ _-]?(?:key|token|secret)|client[ _-]?secret)(?: is| was| of \w+ is)?[:=,]? ?["'\x60]?([0-9a-f]{32,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`,
			Keywords: []string{"key", "token", "secret"}, Entropy: 2.8},
		{ID: "discord-webhook", Regex: `(?i)\bdiscord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{17,20}/[\w-]{60,72}`, Keywords: []string{"discord"}},
		{ID: "discord-bot-token", Regex: `\b[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,38}\b`, Keywords: []string{"bot", "discord", "token"}, Entropy: 4},
		{ID: "telegram-bot-token", Regex: `\b\d{8,10}:AA[\w-]{32,34}\b`, Keywords: []string{":aa"}},
		{ID: "google-chat-webhook", Regex: `\bchat\.googleapis\.com/v1/spaces/[\w-]+/messages\?\S*\btoken=[\w%-]{20,}`, Keywords: []string{"chat.googleapis.com"}},
		{ID: "zapier-webhook", Regex: `\bhooks\.zapier\.com/hooks/(?:catch|standard)/\d{4,}/[A-Za-z\d]{6,}`, Keywords: []string{"hooks.zapier.com"}},
		{ID: "ifttt-webhook", Regex: `\bmaker\.ifttt\.com/(?:trigger/[\w-]+/(?:json/)?with/key|use)/[\w-]{20,}`, Keywords: []string{"maker.ifttt.com"}},
		{ID: "azure-signed-url", Regex: `\bhttps://[\w.-]+\.(?:azure\.com|windows\.net|azure-api\.net|powerplatform\.com)\S*[?&]sig=[\w%+/-]{40,}`, Keywords: []string{"sig="}},
		{ID: "prefixed-token", Regex: `\b(?:sbp_[a-f\d]{40}|figd_[\w-]{40}|tskey-(?:auth|api|client)-\w{8,}-\w{20,}|xapp-\d-[A-Z\d]{9,}-\d{10,}-[a-f\d]{40,})\b`,
			Keywords: []string{"sbp_", "figd_", "tskey-", "xapp-"}},
		{ID: "mattermost-webhook", Regex: `\bhttps?://[\w.:-]+/hooks/[a-z\d]{26}\b`, Keywords: []string{"/hooks/"}},
	}
}
