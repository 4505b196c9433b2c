package main

import (
	"cmp"
	"context"
	"log/slog"

	"engram/memory"
	"engram/model"
)

// directory is where the repository is looked for.
func (g *globals) directory() string {
	return cmp.Or(g.repo, g.getenv("ENGRAM_REPO"), ".")
}

// open opens the memory, by what flags, environment and configuration say.
// The caller closes it.
func (g *globals) open(ctx context.Context) (*memory.Memory, settings, error) {
	s, err := g.settings()
	if err != nil {
		return nil, s, err
	}
	m, err := g.openWith(ctx, s, &memory.Options{})
	return m, s, err
}

// openToWrite is open for commands that write texts: the rules against secrets
// load while git starts.
func (g *globals) openToWrite(ctx context.Context) (*memory.Memory, settings, error) {
	g.scanner.Warm()
	return g.open(ctx)
}

// openWithModel is open for commands that look for meaning. The caller calls
// done instead of closing the memory.
func (g *globals) openWithModel(ctx context.Context) (m *memory.Memory, s settings, done func(), err error) {
	if s, err = g.settings(); err != nil {
		return nil, s, nil, err
	}
	m, done, err = g.openEmbedding(ctx, s, &memory.Options{})
	return m, s, done, err
}

// openToAudit is openWithModel with the models that an audit may ask beside the
// rules.
func (g *globals) openToAudit(ctx context.Context) (m *memory.Memory, j judges, done func(), err error) {
	s, err := g.settings()
	if err != nil {
		return nil, j, nil, err
	}
	g.scanner.Warm()
	j = g.judges(s)
	m, closeMemory, err := g.openEmbedding(ctx, s, &memory.Options{Models: j.Models})
	if err != nil {
		j.close()
		return nil, j, nil, err
	}
	return m, j, func() { closeMemory(); j.close() }, nil
}

// openEmbedding opens the memory with the model that embeds. done closes both.
func (g *globals) openEmbedding(ctx context.Context, s settings, options *memory.Options) (m *memory.Memory, done func(), err error) {
	embedder, err := g.embedder(s)
	if err != nil {
		options.EmbedderProblem = err.Error()
	} else if embedder != nil {
		options.Embedder = embedder
	}
	m, err = g.openWith(ctx, s, options)
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

// embedder opens the model that is configured; nil where none is.
func (g *globals) embedder(s settings) (model.Embedder, error) {
	dir, err := g.modelFolder(s.model)
	if err != nil || dir == "" {
		return nil, err
	}
	return model.OpenEmbedderFor(dir)
}

// modelFolder is where the model that a setting names is; "" for none.
func (g *globals) modelFolder(value string) (string, error) {
	cache, err := model.NewCache(g.getenv)
	if err != nil {
		return "", err
	}
	return model.Resolve(cache, value)
}

func (g *globals) openWith(ctx context.Context, s settings, options *memory.Options) (*memory.Memory, error) {
	logger, began := g.logger(), g.now()
	options.Branch, options.Now, options.NewID, options.Agent, options.Trunk = s.branch, g.now, g.newID, s.agent, s.trunk
	options.Prompt, options.Bus, options.EvidenceTime = g.io.asks, s.bus.options(), g.evidenceTime
	options.Progress, options.Logger, options.Weights = g.io.progress.update, logger, &s.weights
	m, err := memory.Open(ctx, g.directory(), g.scanner, options)
	logger.Debug("open", "directory", g.directory(), "branch", s.branch, "took", g.now().Sub(began), "error", err)
	return m, err
}

func (g *globals) logger() *slog.Logger {
	if !g.verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(clearingWriter{g.io}, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// clearingWriter writes to standard error around the line of progress.
type clearingWriter struct{ io *streams }

func (w clearingWriter) Write(p []byte) (int, error) {
	w.io.progress.clear()
	return w.io.err.Write(p)
}
