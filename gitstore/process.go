package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// process is a git that stays alive and answers requests on its pipes. It is
// bound to no request's context, because it serves many.
type process struct {
	cmd    *exec.Cmd
	name   string // of git's command, for messages
	in     io.WriteCloser
	out    *bufio.Reader
	stderr lockedBuffer
}

func startProcess(cmd *exec.Cmd, name string) (*process, error) {
	p := &process{cmd: cmd, name: name}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
	cmd.Stderr = &p.stderr
	if err := cmd.Start(); err != nil {
		return nil, failure(context.Background(), []string{name}, "", err)
	}
	return p, nil
}

// stop lets the process end by itself and reaps it.
func (p *process) stop() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}

// kill ends the process at once, as after a cancelled request that left an
// answer half read.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.stop()
}

// failed reaps a process that broke off its answers and says why.
func (p *process) failed(ctx context.Context, err error) error {
	if waitErr := p.stop(); waitErr != nil {
		err = waitErr
	}
	return failure(ctx, []string{p.name}, p.stderr.String(), err)
}

// lockedBuffer collects what a process says while it runs.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.buf.Len() > 64<<10 { // a git that complains for hours must not fill memory
		b.buf.Reset()
	}
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
