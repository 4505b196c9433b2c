package app

import (
	"context"
	"errors"
	"time"

	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/llm"
	"engram/memory"
	"engram/model"
)

// Judges are the models that an audit may ask beside the rules. A configured model that
// cannot be opened is left out with a warning; nothing fails because of it.
type Judges struct {
	memory.Models
	nli            *model.NLI    // nil: none
	tagger         *model.Tagger // nil: none
	NoNLI, NoModel string        // why a model is absent
	Budget         time.Duration // of the cross-encoder; 0: the default
}

// Judges opens the configured models. It is quick: a cross-encoder loads when it is first
// asked, and no endpoint is called.
func (g *Globals) Judges(s config.Settings) Judges {
	j := Judges{NoNLI: "no NLI model is configured (detect.nli)", NoModel: "no language model is configured (llm.url)"}
	j.HighStakes, j.Budget = s.Detection.Scopes(), s.Detection.Budget
	if nli, err := g.crossEncoder(s); err != nil {
		j.NoNLI = g.absent("detect.nli", err)
	} else if nli != nil {
		j.nli, j.NLI, j.NLIID, j.NoNLI = nli, nli, s.NLIName(), ""
	}
	if tagger, err := g.tagger(s); err != nil {
		g.absent("detect.tagger", err)
	} else if tagger != nil {
		j.tagger, j.Tagger = tagger, spanTagger{tagger}
	}
	if client, err := g.languageModel(s.LLM); err != nil {
		j.NoModel = g.absent("llm", err)
	} else if client != nil {
		j.LLM, j.LLMID, j.NoModel = client, s.LLM.Model, ""
		if s.LLM.ReadsSessions() {
			j.Reader = client
		}
	}
	return j
}

// Close closes the models that were opened.
func (j Judges) Close() {
	if j.nli != nil {
		_ = j.nli.Close()
	}
	if j.tagger != nil {
		_ = j.tagger.Close()
	}
}

// absent warns of a model that is configured but cannot be used.
func (g *Globals) absent(setting string, err error) (why string) {
	g.Out.Message("warning: %s: %s", setting, err.Error())
	if hint := fault.UsageHint(ModelError(err)); hint != "" {
		g.Out.Message("hint: %s", hint)
	}
	return err.Error()
}

// crossEncoder opens the configured NLI model; nil if none is configured.
func (g *Globals) crossEncoder(s config.Settings) (*model.NLI, error) {
	dir, err := g.modelFolder(s.Detection.NLI)
	if err != nil || dir == "" {
		return nil, err
	}
	return model.OpenNLI(dir)
}

// tagger opens the model that finds names; nil if none is configured.
func (g *Globals) tagger(s config.Settings) (*model.Tagger, error) {
	dir, err := g.modelFolder(s.Detection.Tagger)
	if err != nil || dir == "" {
		return nil, err
	}
	return model.OpenTagger(dir)
}

// spanTagger converts the spans of a tagger into tags of package memory.
type spanTagger struct{ *model.Tagger }

func (t spanTagger) Tag(ctx context.Context, text string) ([]memory.Tag, error) {
	spans, err := t.Tagger.Tag(ctx, text)
	tags := make([]memory.Tag, len(spans))
	for i, s := range spans {
		tags[i] = memory.Tag{Label: s.Label, Start: s.Start, End: s.End}
	}
	return tags, err
}

// languageModel is a client of the configured endpoint; nil if none is configured.
func (g *Globals) languageModel(s config.LLMSettings) (*llm.Client, error) {
	if s.URL == "" {
		return nil, nil
	}
	if !s.URLIsMine && (s.KeyEnv != "" || !llm.Local(s.URL)) {
		return nil, errors.New("neither claims nor a key are sent to a URL that " + config.FileName + " alone names, since that file comes with the repository; " +
			"if you trust it, set ENGRAM_LLM_URL to the same")
	}
	key := ""
	if s.KeyEnv != "" {
		if key = g.Getenv(s.KeyEnv); key == "" {
			return nil, errors.New("llm.key_env names " + s.KeyEnv + ", which is not set")
		}
	}
	return llm.New(llm.Options{Protocol: s.Protocol, URL: s.URL, Model: s.Model, Key: key, Timeout: s.Timeout})
}

// ModelError adds hints to errors of package model.
func ModelError(err error) error {
	var hinted interface {
		error
		Hint() string
	}
	switch {
	case errors.As(err, &hinted):
		return fault.Usage(err.Error(), hinted.Hint())
	case errors.Is(err, model.ErrDamaged), errors.Is(err, model.ErrNoModel):
		return fault.Usage(err.Error(), "`engram model verify` compares fetched models with the catalogue; `engram model pull NAME` fixes one")
	}
	return err
}
