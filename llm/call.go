package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 1 << 20

// Complete sends a question and returns the model's answer, unchanged and never blank.
// system may be "". It is safe for concurrent use.
//
//  1. ctx ended: the error wraps ctx.Err().
//  2. The network failed, or the time-out passed: ErrUnreachable.
//  3. The endpoint is busy: ErrBusy. If it says when to come back, and that is
//     within the time-out, it is asked once more first.
//  4. The model declined: ErrRefused.
//  5. Anything else that is not an answer: ErrAnswer.
//
// Errors of 2 to 5 are *Error.
func (c *Client) Complete(ctx context.Context, system, user string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	text, err := c.complete(limited, system, user)
	if err == nil {
		return text, nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("ask the model: %w", ctx.Err())
	}
	if failed, ok := errors.AsType[*Error](err); ok {
		if errors.Is(err, ErrUnreachable) && limited.Err() != nil {
			failed.Message, failed.cause = fmt.Sprintf("no answer within %s", c.timeout), limited.Err()
		}
		failed.guard(c.key, system, user)
	}
	return "", err
}

// complete is Complete with errors that have not been guarded.
func (c *Client) complete(ctx context.Context, system, user string) (string, error) {
	question, err := json.Marshal(c.dialect.question(c.model, system, user, c.maxTokens))
	if err != nil {
		return "", errors.New("the question cannot be written as JSON")
	}
	a, err := c.post(ctx, question)
	if err != nil {
		return "", err
	}
	if wait, ok := a.comeBack(ctx); ok {
		if err := sleep(ctx, wait); err != nil {
			return "", &Error{kind: ErrUnreachable, cause: err}
		}
		if a, err = c.post(ctx, question); err != nil {
			return "", err
		}
	}
	return c.read(a)
}

// post sends one request and reads the whole answer.
func (c *Client) post(ctx context.Context, question []byte) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.String(), bytes.NewReader(question))
	if err != nil {
		return answer{}, errors.New("the URL cannot be used for a request")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "engram")
	c.dialect.sign(req.Header, c.key)
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, unreachable(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return answer{}, unreachable(err)
	}
	if len(body) > maxAnswer {
		return answer{}, &Error{kind: ErrAnswer, Status: resp.StatusCode, Message: "it is longer than 1 MiB"}
	}
	return answer{resp.StatusCode, resp.Header, body}, nil
}

// read returns the text of an answer.
func (c *Client) read(a answer) (string, error) {
	switch {
	case a.status == http.StatusOK:
		text, err := c.dialect.text(a.body)
		if failed, ok := errors.AsType[*Error](err); ok {
			failed.Status = a.status
		}
		return text, err
	case a.busy():
		return "", &Error{kind: ErrBusy, Status: a.status, Message: a.message()}
	case a.status >= 300 && a.status < 400:
		return "", &Error{kind: ErrAnswer, Status: a.status, Message: "a redirect, which is not followed; give the URL it leads to"}
	}
	return "", &Error{kind: ErrAnswer, Status: a.status, Message: a.message()}
}

// unreachable returns a network error without the URL that net/http puts before it.
func unreachable(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &Error{kind: ErrUnreachable, cause: err, Message: err.Error()}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
