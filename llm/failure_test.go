package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"engram/llm"
)

// TestLLMAnswersThatAreNone has what servers say instead of an answer.
func TestLLMAnswersThatAreNone(t *testing.T) {
	const both = "*"
	for name, c := range map[string]struct {
		protocol llm.Protocol
		status   int
		body     string
		want     error
		shows    string
	}{
		"bad key":              {llm.OpenAI, 401, `{"error":{"message":"Incorrect API key provided: sk-test*****cdef."}}`, llm.ErrAnswer, "status 401: Incorrect API key provided: sk-test"},
		"bad key, Anthropic":   {llm.Anthropic, 401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, llm.ErrAnswer, "status 401: invalid x-api-key"},
		"error as a string":    {both, 404, `{"error":"model 'tiny' not found"}`, llm.ErrAnswer, "status 404: model 'tiny' not found"},
		"message at the top":   {both, 400, `{"object":"error","message":"bad"}`, llm.ErrAnswer, "status 400: bad"},
		"detail":               {both, 422, `{"detail":"bad"}`, llm.ErrAnswer, "status 422: bad"},
		"500":                  {both, 500, `{"error":{"message":"a\u001b[31m\nb\u202ec"}}`, llm.ErrAnswer, "status 500: a[31m bc"},
		"500, empty":           {both, 500, "", llm.ErrAnswer, "status 500"},
		"500, long":            {both, 500, `{"error":"` + strings.Repeat("é", 5000) + `"}`, llm.ErrAnswer, ": " + strings.Repeat("é", 199) + "…"},
		"502, HTML":            {both, 502, "<html><body>Bad gateway</body></html>", llm.ErrAnswer, "status 502"},
		"no content":           {both, 204, "", llm.ErrAnswer, "status 204"},
		"429":                  {both, 429, `{"error":{"message":"slow down"}}`, llm.ErrBusy, "status 429: slow down"},
		"503":                  {both, 503, "", llm.ErrBusy, "status 503"},
		"529":                  {both, 529, `{"error":{"message":"Overloaded"}}`, llm.ErrBusy, "status 529: Overloaded"},
		"HTML":                 {both, 200, "\n<!doctype html><p>Hello", llm.ErrAnswer, "web page"},
		"truncated":            {both, 200, `{"choices":[{"message":{"content":"fi`, llm.ErrAnswer, "not JSON of the protocol"},
		"empty":                {both, 200, "", llm.ErrAnswer, "not JSON of the protocol"},
		"two values":           {both, 200, `{} {}`, llm.ErrAnswer, "not JSON of the protocol"},
		"no object":            {both, 200, `[]`, llm.ErrAnswer, "not JSON of the protocol"},
		"null":                 {both, 200, `null`, llm.ErrAnswer, "no text"},
		"nothing in it":        {both, 200, `{}`, llm.ErrAnswer, "no text"},
		"an error with 200":    {both, 200, `{"error":{"message":"upstream is away"}}`, llm.ErrAnswer, "upstream is away"},
		"content of a list":    {llm.OpenAI, 200, `{"choices":[{"message":{"content":[1]}}]}`, llm.ErrAnswer, "not JSON of the protocol"},
		"blank":                {llm.OpenAI, 200, `{"choices":[{"message":{"content":" \n"},"finish_reason":"stop"}]}`, llm.ErrAnswer, "no text"},
		"content null":         {llm.OpenAI, 200, `{"choices":[{"message":{"content":null},"finish_reason":"tool_calls"}]}`, llm.ErrAnswer, "no text"},
		"cut off":              {llm.OpenAI, 200, `{"choices":[{"message":{"content":"fi"},"finish_reason":"length"}]}`, llm.ErrAnswer, "cut off"},
		"refusal":              {llm.OpenAI, 200, `{"choices":[{"message":{"content":null,"refusal":"I can't."},"finish_reason":"stop"}]}`, llm.ErrRefused, "I can't."},
		"filtered":             {llm.OpenAI, 200, `{"choices":[{"message":{"content":"fi"},"finish_reason":"content_filter"}]}`, llm.ErrRefused, "refused"},
		"blank, Anthropic":     {llm.Anthropic, 200, `{"content":[{"type":"text","text":""}],"stop_reason":"end_turn"}`, llm.ErrAnswer, "no text"},
		"no text block":        {llm.Anthropic, 200, `{"content":[{"type":"tool_use","text":"x"}],"stop_reason":"tool_use"}`, llm.ErrAnswer, "no text"},
		"cut off, Anthropic":   {llm.Anthropic, 200, `{"content":[{"type":"text","text":"fi"}],"stop_reason":"max_tokens"}`, llm.ErrAnswer, "cut off"},
		"window full":          {llm.Anthropic, 200, `{"content":[{"type":"text","text":"fi"}],"stop_reason":"model_context_window_exceeded"}`, llm.ErrAnswer, "cut off"},
		"refusal, Anthropic":   {llm.Anthropic, 200, `{"content":[{"type":"text","text":"fi"}],"stop_reason":"refusal"}`, llm.ErrRefused, "refused"},
		"huge":                 {both, 200, strings.Repeat(" ", 1<<20) + protocols()[llm.OpenAI], llm.ErrAnswer, "longer than 1 MiB"},
		"huge error":           {both, 500, `{"error":"` + strings.Repeat("x", 1<<20), llm.ErrAnswer, "status 500"},
		"repeats the key":      {both, 401, `{"error":"bad key ` + key + `"}`, llm.ErrAnswer, "not shown"},
		"repeats half the key": {both, 401, `{"error":"bad key ` + key[5:20] + `"}`, llm.ErrAnswer, "not shown"},
		"the key at the cut":   {both, 401, `{"error":"` + strings.Repeat("x ", 94) + key + `"}`, llm.ErrAnswer, "not shown"},
		"the key, taken apart": {both, 401, `{"error":"bad key ` + key[:8] + `\u200b` + key[8:16] + `\u0000` + key[16:] + `"}`, llm.ErrAnswer, "not shown"},
		"repeats the question": {both, 400, `{"error":{"message":"cannot parse: ` + user[10:50] + `"}}`, llm.ErrAnswer, "not shown"},
		"refusal that repeats": {llm.OpenAI, 200, `{"choices":[{"message":{"refusal":"I will not judge: ` + user + `"}}]}`, llm.ErrRefused, "not shown"},
	} {
		for protocol := range protocols() {
			if c.protocol != both && c.protocol != protocol {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", name, protocol), func(t *testing.T) {
				url, hits := serve(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, c.status, c.body) })
				err := fail(t, newClient(t, protocol, url))
				failed, ok := errors.AsType[*llm.Error](err)
				if !ok || !errors.Is(err, c.want) || failed.Status != c.status || !strings.Contains(err.Error(), c.shows) {
					t.Errorf("err = %v; want %v, showing %q", err, c.want, c.shows)
				}
				if hits.Load() != 1 {
					t.Errorf("%d requests arrived, want 1", hits.Load())
				}
			})
		}
	}
}

func TestLLMPlainTextErrorIsShown(t *testing.T) {
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	if err := fail(t, newClient(t, llm.OpenAI, url)); !strings.HasSuffix(err.Error(), "status 404: 404 page not found") {
		t.Error(err)
	}
}

func TestLLMRetryAfter(t *testing.T) {
	past := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	future := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for name, c := range map[string]struct {
		after  string
		busy   int32 // requests that are turned away
		status int
		hits   int32
		good   bool
	}{
		"at once":           {"0", 1, 429, 2, true},
		"in a second":       {"1", 1, 503, 2, true},
		"past date":         {past, 1, 529, 2, true},
		"never twice":       {"0", 9, 429, 2, false},
		"too late":          {"3600", 9, 429, 1, false},
		"too late a date":   {future, 9, 429, 1, false},
		"beyond all bounds": {"99999999999999999999", 9, 429, 1, false},
		"overflowing":       {"18446744074", 9, 429, 1, false},
		"negative":          {"-1", 9, 429, 1, false},
		"nonsense":          {"soon", 9, 429, 1, false},
		"not busy":          {"0", 9, 500, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			url, hits := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if asked.Add(1) <= c.busy {
					reply(w, c.status, "", "Retry-After", c.after)
					return
				}
				reply(w, http.StatusOK, protocols()[llm.OpenAI])
			})
			text, err := newClient(t, llm.OpenAI, url).Complete(context.Background(), system, user)
			if c.good != (err == nil) || c.good != (text == "fine") || !c.good && c.status != 500 && !errors.Is(err, llm.ErrBusy) {
				t.Errorf("Complete = %q, %v", text, err)
			}
			if hits.Load() != c.hits {
				t.Errorf("%d requests arrived, want %d", hits.Load(), c.hits)
			}
		})
	}
}
