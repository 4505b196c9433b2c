package facts

import "regexp"

// instruction finds texts that address whoever reads them, by what such texts
// have in common: an order to forget what was said before, a role that is
// claimed, a call to a tool, or the tags by which chats are put together.
var instruction = regexp.MustCompile(`(?i)` +
	`\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all|your|system|other)\b.{0,30}\b(?:instruction|prompt|rule|message|context|guideline|directive)s?\b` +
	`|\b(?:you are now|from now on,? you|act as (?:an?|the) (?:ai|assistant|system|admin|root)|pretend (?:to be|you are))\b` +
	`|\b(?:as an? (?:ai|assistant|agent|language model)|(?:dear|hey|attention|note to) (?:ai|assistant|agent|model|claude|llm)s?)\b,?` +
	`|\byou (?:must|should|have to|need to)\b.{0,40}\b(?:run|execute|call|delete|send|post|reveal|print|upload|download|commit|install|curl|not tell|never tell)\b` +
	`|\b(?:do not|don't|never) (?:tell|inform|mention (?:this|it) to|reveal (?:this|it) to|ask) the user\b` +
	`|\b(?:system|developer) (?:prompt|message|instruction)s?\s*[:=]` +
	`|^\s*(?:system|assistant|user|human)\s*:` +
	`|<\s*/?\s*(?:system|assistant|user|human|instructions?|tool_call|function_calls?|tool_result|important)\b[^>]{0,60}>` +
	`|<\|[a-z_]{2,30}\|>|\[/?INST\]`)

// ReadsAsInstruction reports whether a text reads like an instruction to the
// model that it is shown to. It is a mark for readers and refuses nothing: a
// text that it does not find is no more an instruction than one that it does.
func ReadsAsInstruction(text string) bool { return instruction.MatchString(text) }
