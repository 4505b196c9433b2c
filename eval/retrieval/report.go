package retrieval

// Report is what was measured; its JSON is a contract like package memory's.
type Report struct {
	SchemaVersion int           `json:"schema_version"`
	Embedder      string        `json:"embedder,omitempty"` // the id of the model, if one took part
	Suites        []SuiteReport `json:"suites"`
}

// SuiteReport is what was measured over one set of facts.
type SuiteReport struct {
	Name      string   `json:"name"`
	About     string   `json:"about"`
	Facts     int      `json:"facts"`
	Items     int      `json:"items"` // what is ranked: facts, or groups of them
	Questions int      `json:"questions"`
	Notes     []string `json:"notes"` // what was omitted from the data, and why
	Rows      []Row    `json:"rows"`
	Systems   []string `json:"systems"` // the columns of Ranks
	Queries   []Query  `json:"queries"`
}

// Row is one system over one subset of the questions. Shares are between 0 and
// 1, times in milliseconds.
type Row struct {
	Subset    string    `json:"subset"`
	System    string    `json:"system"`
	Questions int       `json:"questions"`
	Recall1   float64   `json:"recall_at_1"`
	Recall5   float64   `json:"recall_at_5"`
	Recall10  float64   `json:"recall_at_10"`
	Hit       []float64 `json:"hit_at"` // hit@1 to hit@10
	MRR       float64   `json:"mrr_at_10"`
	NDCG      float64   `json:"ndcg_at_10"`
	Tokens    float64   `json:"tokens"` // an answer, on average; 0 if the system has no budget
	P50       float64   `json:"p50_ms"`
	P95       float64   `json:"p95_ms"`
}

// Query is one question's outcome: for each system the rank of the first
// relevant item, 0 if none was among the first ten.
type Query struct {
	ID    string `json:"id"`
	Ranks []int  `json:"ranks"`
}
