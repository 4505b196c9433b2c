package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"engram/llm"
	"engram/memory"
	"engram/model"
)

// judges are the models that an audit may ask beside the rules. One that is
// configured and cannot be opened takes no part; nothing fails because of it.
type judges struct {
	memory.Models
	nli            *model.NLI    // nil: none
	tagger         *model.Tagger // nil: none
	noNLI, noModel string        // why there is none
	budget         time.Duration // of the cross-encoder; 0: the default
}

// judges opens what is configured. It is quick: a cross-encoder loads when it is
// first asked, and no endpoint is called.
func (g *globals) judges(s settings) judges {
	j := judges{noNLI: "no NLI model is configured (detect.nli)", noModel: "no language model is configured (llm.url)"}
	j.HighStakes, j.budget = s.detection.scopes(), s.detection.budget
	if nli, err := g.crossEncoder(s); err != nil {
		j.noNLI = g.absent("detect.nli", err)
	} else if nli != nil {
		j.nli, j.NLI, j.NLIID, j.noNLI = nli, nli, s.nliName(), ""
	}
	if tagger, err := g.tagger(s); err != nil {
		g.absent("detect.tagger", err)
	} else if tagger != nil {
		j.tagger, j.Tagger = tagger, spanTagger{tagger}
	}
	if client, err := g.languageModel(s.llm); err != nil {
		j.noModel = g.absent("llm", err)
	} else if client != nil {
		j.LLM, j.LLMID, j.noModel = client, s.llm.model, ""
	}
	return j
}

func (j judges) close() {
	if j.nli != nil {
		_ = j.nli.Close()
	}
	if j.tagger != nil {
		_ = j.tagger.Close()
	}
}

// absent warns of a model that is configured and takes no part.
func (g *globals) absent(setting string, err error) (why string) {
	g.io.message("warning: %s: %s", setting, err.Error())
	if hint := usageHint(modelError(err)); hint != "" {
		g.io.message("hint: %s", hint)
	}
	return err.Error()
}

// crossEncoder opens the NLI model that is configured; nil where none is.
func (g *globals) crossEncoder(s settings) (*model.NLI, error) {
	dir, err := g.modelFolder(s.detection.nli)
	if err != nil || dir == "" {
		return nil, err
	}
	return model.OpenNLI(dir)
}

// tagger opens the model that finds names; nil where none is configured.
func (g *globals) tagger(s settings) (*model.Tagger, error) {
	dir, err := g.modelFolder(s.detection.tagger)
	if err != nil || dir == "" {
		return nil, err
	}
	return model.OpenTagger(dir)
}

// spanTagger speaks memory's words for what a tagger finds.
type spanTagger struct{ *model.Tagger }

func (t spanTagger) Tag(ctx context.Context, text string) ([]memory.Tag, error) {
	spans, err := t.Tagger.Tag(ctx, text)
	tags := make([]memory.Tag, len(spans))
	for i, s := range spans {
		tags[i] = memory.Tag{Label: s.Label, Start: s.Start, End: s.End}
	}
	return tags, err
}

// nliName names the NLI model in what it finds, for everybody: a folder is named
// without the path, which is nobody else's business.
func (s settings) nliName() string {
	if slices.Contains([]string{"", model.Off}, s.detection.nli) {
		return ""
	}
	return filepath.Base(s.detection.nli)
}

// languageModel is a client of the endpoint that is configured; nil where none
// is.
func (g *globals) languageModel(s llmSettings) (*llm.Client, error) {
	if s.url == "" {
		return nil, nil
	}
	if !s.urlIsMine && (s.keyEnv != "" || !llm.Local(s.url)) {
		return nil, errors.New("neither claims nor a key are sent to a URL that " + configName + " alone names, since that file comes with the repository; " +
			"if you trust it, set ENGRAM_LLM_URL to the same")
	}
	key := ""
	if s.keyEnv != "" {
		if key = g.getenv(s.keyEnv); key == "" {
			return nil, errors.New("llm.key_env names " + s.keyEnv + ", which is not set")
		}
	}
	return llm.New(llm.Options{Protocol: s.protocol, URL: s.url, Model: s.model, Key: key, Timeout: s.timeout})
}
