// Package models has the commands of "engram model": fetch, choose, check and remove
// local models.
package models

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/model"
)

const modelLong = `Models let a query find facts by meaning instead of only by words, and let an
audit find contradictions that no rule finds. They run on this machine. Only
"engram model pull" fetches anything, and no fact leaves the machine.

A model is chosen by name or folder with the setting model in .engram.yml
(ENGRAM_MODEL); "engram model use" writes it. Fetched models are kept in the
user's cache folder, in engram/models (ENGRAM_MODELS).

A model that judges pairs of claims is chosen with detect.nli
(ENGRAM_DETECT_NLI).

A folder holds either a table of token vectors in the Model2Vec format or a
transformer as ONNX, with its config.json and tokenizer.json.`

const modelExample = `  engram model list
  engram model pull potion-base-8m
  engram model use potion-base-8m
  engram model use off`

// NewModelCmd returns "engram model".
func NewModelCmd(g *app.Globals) *cobra.Command {
	return app.Group(&cobra.Command{
		Use: "model", Short: "Fetch and choose models", Long: modelLong, Example: modelExample,
	}, newModelListCmd(g), newModelPullCmd(g), newModelVerifyCmd(g), newModelUseCmd(g), newModelRmCmd(g))
}

// completeModels offers the names of models, and also as the argument.
func completeModels(also ...string) cobra.CompletionFunc {
	return app.CompleteArgs(1, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		offers := slices.Clone(also)
		for _, e := range model.Catalogue() {
			if len(also) > 0 && e.Kind == model.KindNLI {
				continue // not for the setting model
			}
			offers = append(offers, e.Name+"\t"+e.Note)
		}
		if len(also) > 0 {
			return offers, cobra.ShellCompDirectiveDefault // a folder will do as well
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	})
}

// oneModel takes the name of a model as the one argument.
func oneModel(cmd *cobra.Command, args []string) error {
	command := strings.TrimPrefix(cmd.CommandPath(), "engram ")
	if len(args) == 0 {
		return fault.Missing(command, "the name of a model")
	}
	return app.AtMostOne("model", "`engram "+command+" --help` shows examples")(cmd, args)
}
