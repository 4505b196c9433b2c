package gateway

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"engram/internal/strictjson"
	"engram/memory"
	"engram/web/internal/wire"
)

// lightRAG is what LightRAG's server answers: to POST /query/data, status and data; to
// POST /query, response and references. Fields that are not read may be there, and
// others in later versions.
type lightRAG struct {
	Status   string  `json:"status"`
	Message  string  `json:"message"`
	Response *string `json:"response"`
	Data     *struct {
		Chunks        []ragChunk     `json:"chunks"`
		References    []ragReference `json:"references"`
		Entities      []ragSource    `json:"entities"`
		Relationships []ragSource    `json:"relationships"`
	} `json:"data"`
	References []ragReference `json:"references"`
}

type ragChunk struct {
	Content     string `json:"content"`
	FilePath    string `json:"file_path"`
	ReferenceID string `json:"reference_id"`
}

type ragReference struct {
	ReferenceID string  `json:"reference_id"`
	FilePath    string  `json:"file_path"`
	Content     ragText `json:"content"` // where the query asked for it
}

// ragSource is where an entity or a relationship was found.
type ragSource struct {
	FilePath string `json:"file_path"`
}

// ragText is a list of texts, or one.
type ragText []string

// UnmarshalJSON takes both.
func (t *ragText) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = nil
		if one != "" {
			*t = ragText{one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// ragJoin is what LightRAG puts between the files of one entity.
const ragJoin = "<SEP>"

// Passages are what LightRAG found. Texts of chunks come first, as they are ranked;
// then the files that nothing is quoted of.
func Passages(body []byte) ([]memory.Retrieved, error) {
	var r lightRAG
	if err := strictjson.Check(body, reflect.TypeFor[lightRAG]()); err != nil {
		return nil, wire.BadBody(err)
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, wire.BadBody(err)
	}
	if r.Data == nil && r.Response == nil && r.References == nil {
		return nil, wire.BadRequest("the body is not an answer of LightRAG", "send what its /query/data or /query answers, as it is")
	}
	if r.Status != "" && r.Status != "success" {
		return nil, wire.BadRequest(fmt.Sprintf("LightRAG did not answer: status %.40q", r.Status), "send an answer whose status is success")
	}
	var found gathered
	if r.Data == nil {
		found.references(r.References)
		return found, nil
	}
	paths := make(map[string]string)
	for _, reference := range r.Data.References {
		paths[reference.ReferenceID] = reference.FilePath
	}
	for _, chunk := range r.Data.Chunks {
		path := chunk.FilePath
		if path == "" {
			path = paths[chunk.ReferenceID]
		}
		found.text(chunk.Content, path)
	}
	found.references(r.Data.References)
	for _, source := range slices.Concat(r.Data.Entities, r.Data.Relationships) {
		found.files(source.FilePath)
	}
	return found, nil
}

// gathered are passages as they come in.
type gathered []memory.Retrieved

func (g *gathered) text(text, path string) {
	if path != "" && strings.TrimSpace(text) != "" {
		*g = append(*g, memory.Retrieved{Text: text, Path: path})
	}
}

func (g *gathered) references(references []ragReference) {
	for _, reference := range references {
		for _, text := range reference.Content {
			g.text(text, reference.FilePath)
		}
	}
	for _, reference := range references {
		g.files(reference.FilePath)
	}
}

// files adds those that nothing is known of yet.
func (g *gathered) files(joined string) {
	for path := range strings.SplitSeq(joined, ragJoin) {
		known := slices.ContainsFunc(*g, func(p memory.Retrieved) bool { return p.Path == path })
		if path != "" && path != "unknown_source" && !known {
			*g = append(*g, memory.Retrieved{Path: path})
		}
	}
}
