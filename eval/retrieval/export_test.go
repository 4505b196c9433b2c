package retrieval

type Scored = scored

var ByItem = byItem

var GrepWords = grepWords

var RankGrep = rankGrep

var Topics = topics

// Judged is what judge says, by name.
type Judged struct {
	Recall1, Recall5, Recall10, Hit1, Hit10, MRR, NDCG float64
	First                                              int
}

func Judge(ranked, relevant []string) Judged {
	o := judge(ranked, relevant)
	return Judged{o.recall[0], o.recall[4], o.recall[9], o.hit[0], o.hit[9], o.mrr, o.ndcg, o.first}
}

func SearchBM25(items, texts []string, question string, limit int) []Scored {
	return newBM25(items, texts).search(question, limit)
}

func (s Scored) Item() string { return s.item }

func (s Scored) Score() float64 { return s.score }

func Ask(t topic, rule string) (string, bool) { return t.ask(rule) }
