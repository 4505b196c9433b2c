package app

import (
	"cmp"
	"context"
	"io"
	"log/slog"

	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
	"engram/model"
)

// Directory is the folder in which the search for the repository begins.
func (g *Globals) Directory() string {
	return cmp.Or(g.Repo, g.Getenv("ENGRAM_REPO"), ".")
}

// Open opens the memory that flags, environment and configuration name. The caller must
// call done.
func (g *Globals) Open(ctx context.Context) (m *memory.Memory, s config.Settings, done func(), err error) {
	if s, err = g.Settings(); err != nil {
		return nil, s, nil, err
	}
	if m, err = g.OpenWith(ctx, s, &memory.Options{}); err != nil {
		return nil, s, nil, err
	}
	return m, s, func() { _ = m.Close() }, nil
}

// OpenToWrite is Open for commands that write texts: the rules that find secrets load while
// git starts.
func (g *Globals) OpenToWrite(ctx context.Context) (m *memory.Memory, s config.Settings, done func(), err error) {
	g.Scanner.Warm()
	return g.Open(ctx)
}

// OpenWithModel is Open with the model that embeds, for commands that compare meanings.
func (g *Globals) OpenWithModel(ctx context.Context) (m *memory.Memory, s config.Settings, done func(), err error) {
	if s, err = g.Settings(); err != nil {
		return nil, s, nil, err
	}
	m, done, err = g.OpenEmbedding(ctx, s, &memory.Options{})
	return m, s, done, err
}

// Opener opens the memory with what a command needs: Open, OpenToWrite, OpenWithModel
// and OpenToAudit of Globals.
type Opener func(context.Context) (*memory.Memory, config.Settings, func(), error)

// Ask opens the memory and asks it.
func Ask[T any](ctx context.Context, open Opener, ask func(*memory.Memory, config.Settings) (T, error)) (result T, err error) {
	m, s, done, err := open(ctx)
	if err != nil {
		return result, err
	}
	defer done()
	return ask(m, s)
}

// Show opens the memory, asks it, and prints the result: as JSON if the user wants
// that, otherwise with print.
func Show[T any](
	ctx context.Context, g *Globals, open Opener, print func(*term.Streams, T), ask func(*memory.Memory, config.Settings) (T, error),
) (T, error) {
	result, err := Ask(ctx, open, ask)
	if err == nil {
		err = term.Print(g.Out, g.JSON, result, print)
	}
	return result, err
}

// Answer is Show for commands that do nothing more with the result.
func Answer[T any](
	ctx context.Context, g *Globals, open Opener, print func(*term.Streams, T), ask func(*memory.Memory, config.Settings) (T, error),
) error {
	_, err := Show(ctx, g, open, print, ask)
	return err
}

// OpenToAudit is OpenWithModel with the models that an audit may ask beside the rules.
func (g *Globals) OpenToAudit(ctx context.Context) (m *memory.Memory, s config.Settings, done func(), err error) {
	if s, err = g.Settings(); err != nil {
		return nil, s, nil, err
	}
	g.Scanner.Warm()
	m, _, done, err = g.OpenJudging(ctx, s)
	return m, s, done, err
}

// OpenJudging opens the memory with the model that embeds and those that an audit may
// ask. done closes all of them.
func (g *Globals) OpenJudging(ctx context.Context, s config.Settings) (m *memory.Memory, j Judges, done func(), err error) {
	j = g.Judges(s)
	m, closeMemory, err := g.OpenEmbedding(ctx, s, &memory.Options{Models: j.Models})
	if err != nil {
		j.Close()
		return nil, j, nil, err
	}
	return m, j, func() { closeMemory(); j.Close() }, nil
}

// OpenEmbedding opens the memory with the model that embeds. done closes both.
func (g *Globals) OpenEmbedding(ctx context.Context, s config.Settings, options *memory.Options) (m *memory.Memory, done func(), err error) {
	embedder, err := g.Embedder(s)
	if err != nil {
		options.EmbedderProblem = err.Error()
	} else if embedder != nil {
		options.Embedder = embedder
	}
	m, err = g.OpenWith(ctx, s, options)
	done = func() {
		if m != nil {
			_ = m.Close()
		}
		if embedder != nil {
			_ = embedder.Close()
		}
	}
	if err != nil {
		done()
	}
	return m, done, err
}

// Embedder opens the configured model that embeds; nil if none is configured.
func (g *Globals) Embedder(s config.Settings) (model.Embedder, error) {
	dir, err := g.modelFolder(s.Model)
	if err != nil || dir == "" {
		return nil, err
	}
	return model.OpenEmbedderFor(dir)
}

// modelFolder is the folder of the model that a setting names; "" for none.
func (g *Globals) modelFolder(value string) (string, error) {
	cache, err := model.NewCache(g.Getenv)
	if err != nil {
		return "", err
	}
	return model.Resolve(cache, value)
}

// OpenWith opens the memory with the settings s. It completes options.
func (g *Globals) OpenWith(ctx context.Context, s config.Settings, options *memory.Options) (*memory.Memory, error) {
	logger, began := g.Logger(), g.Now()
	options.Branch, options.Now, options.NewID, options.Agent, options.Trunk = s.Branch, g.Now, g.NewID, s.Agent, s.Trunk
	options.Prompt, options.Bus, options.Sessions, options.EvidenceTime = g.Out.Asks, s.Bus.Options(), s.Sessions.Options(), g.EvidenceTime
	options.Progress, options.Logger, options.Weights = g.Out.Progress.Update, logger, &s.Weights
	if g.JSON { // an error is JSON on standard error, and nothing else
		g.Out.Progress.Silence()
	}
	m, err := memory.Open(ctx, g.Directory(), g.Scanner, options)
	logger.Debug("open", "directory", g.Directory(), "branch", s.Branch, "took", g.Now().Sub(began), "error", err)
	return m, err
}

// Logger logs to standard error with --verbose, and discards otherwise.
func (g *Globals) Logger() *slog.Logger {
	if !g.Verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(g.Out.LogWriter(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Settings reads what is configured: flags beat ENGRAM_*, that beats
// .engram.yml, that beats the defaults, which are package memory's.
func (g *Globals) Settings() (config.Settings, error) {
	s, err := config.Read(g.Directory(), g.Getenv)
	if err != nil {
		return s, err
	}
	s.BranchWithoutFlag = cmp.Or(s.Branch, memory.DefaultBranch)
	s.Branch = cmp.Or(g.Branch, s.Branch)
	return s, nil
}

// OpenForHook opens the memory for a git hook, with the models of an audit. It does not
// complain about absent models each time git runs.
func (g *Globals) OpenForHook(ctx context.Context, s config.Settings) (*memory.Memory, func(), error) {
	m, _, done, err := g.Silent().OpenJudging(ctx, s)
	return m, done, err
}

// Silent returns globals that write no messages and ask no questions.
func (g *Globals) Silent() *Globals {
	silent := *g.Out
	silent.Asks = false
	silent.Err, silent.Progress = io.Discard, term.NewProgress(io.Discard, false, g.Now)
	quiet := *g
	a := *g.App
	a.Out = &silent
	quiet.App = &a
	return &quiet
}
