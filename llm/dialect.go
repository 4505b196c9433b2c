package llm

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// dialect is the part in which the protocols differ. Its values are stateless.
type dialect interface {
	// endpoint returns the URL for questions, given the base.
	endpoint(base *url.URL) *url.URL
	// sign adds the headers of the protocol; key may be "".
	sign(h http.Header, key string)
	// question is the body of a request, to be encoded as JSON.
	question(model, system, user string, maxTokens int) any
	// text reads the body of a successful answer. Its error is an *Error that has not been
	// guarded.
	text(body []byte) (string, error)
}

func dialectOf(p Protocol) (dialect, error) {
	switch p {
	case OpenAI, "":
		return openAI{}, nil
	case Anthropic:
		return anthropic{}, nil
	}
	return nil, fmt.Errorf("the protocol %q is not known: give %s or %s", p, OpenAI, Anthropic)
}

// message is one turn of a conversation, in both protocols.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// openAI is the chat completions protocol.
type openAI struct{}

func (openAI) endpoint(base *url.URL) *url.URL { return base.JoinPath("chat", "completions") }

func (openAI) sign(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func (openAI) question(model, system, user string, maxTokens int) any {
	return struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Temperature float64   `json:"temperature"`
		MaxTokens   int       `json:"max_tokens"`
	}{model, []message{{"system", system}, {"user", user}}, 0, maxTokens}
}

func (openAI) text(body []byte) (string, error) {
	var a struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
	}
	if err := decode(body, &a); err != nil {
		return "", err
	}
	if len(a.Choices) == 0 {
		return "", noText(body)
	}
	switch c := a.Choices[0]; {
	case c.Message.Refusal != "" || c.FinishReason == "content_filter":
		return "", &Error{kind: ErrRefused, Message: c.Message.Refusal}
	case c.FinishReason == "length":
		return "", cutOff()
	case strings.TrimSpace(c.Message.Content) == "":
		return "", noText(body)
	default:
		return c.Message.Content, nil
	}
}

// anthropic is the Messages protocol.
type anthropic struct{}

func (anthropic) endpoint(base *url.URL) *url.URL {
	if strings.HasSuffix(strings.TrimRight(base.Path, "/"), "/v1") {
		return base.JoinPath("messages")
	}
	return base.JoinPath("v1", "messages")
}

func (anthropic) sign(h http.Header, key string) {
	h.Set("Anthropic-Version", "2023-06-01")
	if key != "" {
		h.Set("X-Api-Key", key)
	}
}

func (anthropic) question(model, system, user string, maxTokens int) any {
	return struct {
		Model     string    `json:"model"`
		System    string    `json:"system,omitempty"` // an empty one is rejected
		Messages  []message `json:"messages"`
		MaxTokens int       `json:"max_tokens"`
	}{model, system, []message{{"user", user}}, maxTokens}
}

func (anthropic) text(body []byte) (string, error) {
	var a struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason string `json:"stop_reason"`
	}
	if err := decode(body, &a); err != nil {
		return "", err
	}
	switch a.StopReason {
	case "refusal":
		return "", &Error{kind: ErrRefused}
	case "max_tokens", "model_context_window_exceeded":
		return "", cutOff()
	}
	var text strings.Builder
	for _, block := range a.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	if strings.TrimSpace(text.String()) == "" {
		return "", noText(body)
	}
	return text.String(), nil
}
