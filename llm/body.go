package llm

import (
	"encoding/json"
	"strings"
)

// decode reads one JSON value.
func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		message := "it is not JSON of the protocol"
		if strings.HasPrefix(strings.TrimSpace(string(body)), "<") {
			message = "it is a web page; the URL must be the base of the API"
		}
		return &Error{kind: ErrAnswer, Message: message}
	}
	return nil
}

func cutOff() error {
	return &Error{kind: ErrAnswer, Message: "the text was cut off where the tokens ended; allow more of them"}
}

// noText returns the error for an answer without a text. Some gateways answer 200 with an
// error in it.
func noText(body []byte) error {
	message := errorMessage(body)
	if message == "" {
		message = "it has no text in it"
	}
	return &Error{kind: ErrAnswer, Message: message}
}

// errorMessage returns the error message of a JSON body, or "": OpenAI and Anthropic have
// {"error": {"message": ...}}, others {"error": ...}, {"message": ...} or {"detail": ...}.
func errorMessage(body []byte) string {
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil {
		return ""
	}
	var inner struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(outer["error"], &inner) == nil && inner.Message != "" {
		return inner.Message
	}
	for _, name := range []string{"error", "message", "detail"} {
		var text string
		if json.Unmarshal(outer[name], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}
