package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastAnswers is how long a client that has closed its side still gets answers to
// what it asked before: `printf … | engram mcp` prints them all.
const lastAnswers = 10 * time.Second

// listening is a request that is answered when the session ends, if at all.
const listening = "subscriptions/listen"

// lines is a client behind two streams, one JSON-RPC message a line; it is both
// the SDK's Transport and its Connection. The SDK's own ends the session at the
// first line that is no message, and takes back calls under way when the input
// ends. This one
//
//  1. answers a line that is no message, or too long, with an error and goes on,
//  2. takes a batch as the messages in it, in any version of the protocol,
//  3. at the end of the input waits for the answers that it owes.
type lines struct {
	in  io.ReadCloser
	out io.WriteCloser

	incoming chan line
	closed   chan struct{}
	closing  sync.Once
	batch    []json.RawMessage // Read's alone: what is left of the last batch

	writing  sync.Mutex // guards out, for as long as the client lets a write take
	mu       sync.Mutex // guards owed and unsent
	owed     map[jsonrpc.ID]bool
	unsent   int // answers that are being written
	answered chan struct{}
	deaf     chan struct{} // closed when a client that has closed its side takes no answers
}

// line is a line of the input, or the error in its place.
type line struct {
	text []byte
	long bool // too long; text is its beginning
	err  error
}

func newLines(in io.ReadCloser, out io.WriteCloser) *lines {
	return &lines{
		in: in, out: out, incoming: make(chan line), closed: make(chan struct{}),
		owed: make(map[jsonrpc.ID]bool), answered: make(chan struct{}, 1), deaf: make(chan struct{}),
	}
}

// Connect begins to read. The goroutine ends with the input, which closing it may
// or may not bring about: for standard input, the end of the process does.
func (l *lines) Connect(context.Context) (sdk.Connection, error) {
	go func() {
		r := bufio.NewReader(l.in)
		for {
			next := readLine(r)
			select {
			case l.incoming <- next:
			case <-l.closed:
				return
			}
			if next.err != nil {
				return
			}
		}
	}()
	return l, nil
}

// readLine keeps at most maxMessage bytes of a line.
func readLine(r *bufio.Reader) (next line) {
	for {
		part, err := r.ReadSlice('\n')
		if next.long = next.long || len(next.text)+len(part) > maxMessage; !next.long {
			next.text = append(next.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if len(next.text) == 0 || !errors.Is(err, io.EOF) { // a last line may have no end
				next.err = err
			}
			return next
		}
	}
}

// Read is the next message.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		raw, err := l.next(ctx)
		if errors.Is(err, io.EOF) {
			l.settle(ctx)
		}
		if err != nil {
			return nil, err
		}
		if raw == nil {
			continue
		}
		message, err := jsonrpc.DecodeMessage(raw)
		if err != nil {
			l.refuse(requestID(raw), jsonrpc.CodeInvalidRequest, err.Error())
			continue
		}
		if l.owe(message) {
			return message, nil
		}
		l.refuse(nil, jsonrpc.CodeInvalidRequest, "a request of that id is being answered")
	}
}

// next is one message as JSON, or nil if a line held none.
func (l *lines) next(ctx context.Context) (json.RawMessage, error) {
	if len(l.batch) > 0 {
		first := l.batch[0]
		l.batch = l.batch[1:]
		return first, nil
	}
	var got line
	select {
	case got = <-l.incoming:
	case <-l.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	text := bytes.TrimSpace(got.text)
	switch {
	case got.long:
		l.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", maxMessage))
	case got.err != nil:
		return nil, got.err
	case len(text) == 0:
	case !json.Valid(text):
		l.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON; a message is one line")
	case text[0] != '[':
		return text, nil
	case json.Unmarshal(text, &l.batch) != nil || len(l.batch) == 0:
		l.refuse(nil, jsonrpc.CodeInvalidRequest, "the batch has no messages")
	}
	return nil, nil
}

// Write answers, or tells the client something.
func (l *lines) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	response, ok := message.(*jsonrpc.Response)
	if ok { // before the client can have it, and use the id again
		l.mu.Lock()
		delete(l.owed, response.ID)
		l.unsent++
		l.mu.Unlock()
	}
	err = l.write(text)
	if ok {
		l.mu.Lock()
		l.unsent--
		l.mu.Unlock()
		select {
		case l.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (l *lines) write(text []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.out.Write(append(text, '\n'))
	return err
}

// owe notes that a request wants an answer, unless one of that id already does.
func (l *lines) owe(message jsonrpc.Message) bool {
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() || request.Method == listening {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owed[request.ID] {
		return false
	}
	l.owed[request.ID] = true
	return true
}

// settle waits until every answer is written.
func (l *lines) settle(ctx context.Context) {
	enough := time.NewTimer(lastAnswers)
	defer enough.Stop()
	for {
		l.mu.Lock()
		left := len(l.owed) + l.unsent
		l.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-l.answered:
		case <-enough.C:
			close(l.deaf)
			return
		case <-l.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// refuse says why there is no answer; an error in writing shows at the next one.
func (l *lines) refuse(id json.RawMessage, code int64, why string) {
	type fault struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", id, fault{code, fmt.Sprintf("%.300s", why)}})
	if err != nil {
		return
	}
	_ = l.write(text)
}

// requestID is the id of a message that is otherwise no request, or nil.
func requestID(raw json.RawMessage) json.RawMessage {
	var r struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &r) != nil || len(r.ID) == 0 || r.ID[0] == '{' || r.ID[0] == '[' {
		return nil
	}
	return r.ID
}

// Close ends the session.
func (l *lines) Close() error {
	l.closing.Do(func() { close(l.closed) })
	return errors.Join(l.in.Close(), l.out.Close())
}

// SessionID is empty: the streams are the session.
func (l *lines) SessionID() string { return "" }
