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

// process is a git that stays alive and answers requests on its pipes.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr lockedBuffer
	args   []string
}

func startProcess(dir string, args ...string) (*process, error) {
	// Not bound to the context of one request: it serves many.
	p := &process{cmd: command(context.Background(), dir, args...), args: args}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
	p.cmd.Stderr = &p.stderr
	if err := p.cmd.Start(); err != nil {
		return nil, failure(context.Background(), args, "", err)
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
	_ = p.in.Close()
	if waitErr := p.cmd.Wait(); waitErr != nil {
		err = waitErr
	}
	return failure(ctx, p.args, p.stderr.String(), err)
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
