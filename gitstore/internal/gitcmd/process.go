package gitcmd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// Process is a git that stays alive and answers requests on its pipes. It is
// bound to no request's context, because it serves many.
type Process struct {
	cmd    *exec.Cmd
	name   string // of git's command, for messages
	In     io.WriteCloser
	Out    *bufio.Reader
	Stderr lockedBuffer
}

// StartProcess starts cmd; name is that of the git command, for messages.
func StartProcess(cmd *exec.Cmd, name string) (*Process, error) {
	p := &Process{cmd: cmd, name: name}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	p.In, p.Out = in, bufio.NewReaderSize(out, 64<<10)
	cmd.Stderr = &p.Stderr
	if err := cmd.Start(); err != nil {
		return nil, Failure(context.Background(), []string{name}, "", err)
	}
	return p, nil
}

// Stop lets the process end by itself and reaps it.
func (p *Process) Stop() error {
	_ = p.In.Close()
	return p.cmd.Wait()
}

// kill ends the process at once, as after a cancelled request that left an
// answer half read.
func (p *Process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.Stop()
}

// Failed reaps a process that broke off its answers and says why.
func (p *Process) Failed(ctx context.Context, err error) error {
	if waitErr := p.Stop(); waitErr != nil {
		err = waitErr
	}
	return Failure(ctx, []string{p.name}, p.Stderr.String(), err)
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
