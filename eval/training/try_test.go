package training

import (
	"bufio"
	"encoding/json"
	"engram/detect/claim"
	"engram/detect/clash"
	"engram/detect/rule"
	"engram/facts"
	"engram/fixtures"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"testing"
)

type pr struct {
	ID, A, B, Scope, Label, Type string
	set                          string
	e                            example
}

func load(path, set string) (out []pr) {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r pr
		json.Unmarshal(s.Bytes(), &r)
		r.set = set
		out = append(out, r)
	}
	return
}
func (r *pr) prep() {
	mk := func(n, t string) *claim.Claim {
		return claim.Read(facts.Fact{ID: n, Lineage: n, Claim: t, Scope: r.Scope, Provenance: facts.Provenance{Agent: n}})
	}
	a, b := mk("a", r.A), mk("b", r.B)
	k := clash.Context{}
	if f, ok := rule.Compare(a, b); ok {
		k.Ruled = f.Score
	}
	d := clash.Described(a.Frame(), b.Frame(), k)
	r.e.positive = r.Label == "contradiction" || r.Label == "evolution"
	r.e.weight = 1
	r.e.prior = pri
	for _, c := range d {
		x := make([]float64, len(c)+1)
		for i, v := range c {
			x[i] = float64(v)
			for _, m := range strings.Split(os.Getenv("MASK"), ";") {
				if m != "" && strings.HasPrefix(clash.FeatureNames()[i], m) {
					x[i] = 0
				}
			}
		}
		x[len(c)] = 1
		if os.Getenv("EXP") != "" {
			g := 3
			for k := 0; k < 16; k++ {
				if x[k] > 0 {
					g = []int{0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 1, 3, 2, 3, 3}[k]
				}
			}
			y := append([]float64{}, x[:len(x)-1]...)
			for h := 0; h < 4; h++ {
				for _, v := range x[16 : len(x)-1] {
					if h != g {
						v = 0
					}
					y = append(y, v)
				}
			}
			x = append(y, 1)
		}
		r.e.candidates = append(r.e.candidates, x)
	}
}
func TestTry(t *testing.T) {
	ps := append(load("/work/shared/data/nli/prose_pairs.dev.jsonl", "dev"), load("../testdata/prose/train.jsonl", "train")...)
	n600 := len(ps)
	for _, p := range fixtures.Pairs() {
		if p.Half == fixtures.Open {
			ps = append(ps, pr{ID: p.ID, A: p.A.Claim, B: p.B.Claim, Scope: p.A.Scope, Label: string(p.Label), Type: "open-" + p.About, set: "open"})
		}
	}
	for i := range ps {
		ps[i].prep()
	}
	n := len(clash.FeatureNames()) + 1
	for i := range ps {
		if len(ps[i].e.candidates) == 0 {
			fmt.Println("NOCAND", ps[i].ID, ps[i].Label, ps[i].A[:min(70, len(ps[i].A))], "||", ps[i].B[:min(70, len(ps[i].B))])
		}
	}
	useOpen := os.Getenv("OPEN") != ""
	for _, ridge := range []float64{0.5, 1, 2, 4, 8} {
		score := make([]float64, len(ps))
		bestc := make([]int, len(ps))
		for fold := 0; fold < 5; fold++ {
			var tr []example
			for i := range ps {
				if i%5 != fold && len(ps[i].e.candidates) > 0 && (i < n600 || useOpen) {
					tr = append(tr, ps[i].e)
				}
			}
			w := fit(tr, fitting{ridge, 6, 8})
			for i := range ps {
				if i%5 == fold {
					score[i] = -99
					for k, c := range ps[i].e.candidates {
						if s := dot(w, c); s > score[i] {
							score[i] = s
							bestc[i] = k
						}
					}
				}
			}
		}
		rep := func(name string, keep func(i int) bool) {
			var id []int
			pos := 0
			for i := range ps {
				if keep(i) {
					id = append(id, i)
					if ps[i].e.positive {
						pos++
					}
				}
			}
			sort.SliceStable(id, func(x, y int) bool { return score[id[x]] > score[id[y]] })
			tp := 0
			best := map[float64]float64{}
			th := map[float64]float64{}
			for k, i := range id {
				if ps[i].e.positive {
					tp++
				}
				p := float64(tp) / float64(k+1)
				for _, q := range []float64{.97, .95, .9, .8, .75} {
					if p >= q {
						best[q] = float64(tp) / float64(pos)
						th[q] = 1 / (1 + math.Exp(-score[i]))
					}
				}
			}
			fmt.Printf("ridge %.1f %-8s n=%d pos=%d  R@P97 %.3f R@P95 %.3f(%.2f) R@P90 %.3f R@P80 %.3f R@P75 %.3f(%.2f)\n", ridge, name, len(id), pos, best[.97], best[.95], th[.95], best[.9], best[.8], best[.75], th[.75])
		}
		rep("600", func(i int) bool { return i < n600 })
		rep("dev", func(i int) bool { return ps[i].set == "dev" })
		rep("train", func(i int) bool { return ps[i].set == "train" })
		rep("open", func(i int) bool { return ps[i].set == "open" })
		if ridge == 2 && os.Getenv("SHOW") != "" {
			id := []int{}
			for i := range ps {
				if i < n600 {
					id = append(id, i)
				}
			}
			sort.SliceStable(id, func(x, y int) bool { return score[id[x]] > score[id[y]] })
			for _, i := range id {
				c := "-"
				if len(ps[i].e.candidates) > 0 {
					x := ps[i].e.candidates[bestc[i]]
					for k, nm := range clash.FeatureNames()[:16] {
						if x[k] > 0 {
							c = nm[7:]
						}
					}
				}
				fmt.Printf("%.2f %-5s %-11s %-12s %s | %s || %s\n", 1/(1+math.Exp(-score[i])), ps[i].Label[:5], ps[i].Type, c, ps[i].ID, ps[i].A, ps[i].B)
			}
		}
	}
	var all []example
	for i := range ps {
		if i < n600 && len(ps[i].e.candidates) > 0 {
			all = append(all, ps[i].e)
		}
	}
	if os.Getenv("EXP") != "" {
		return
	}
	w := fit(all, fitting{2, 6, 8})
	for i := range ps {
		for _, id := range []string{"dev-074", "dev-073", "dev-144", "train-177", "dev-018", "dev-022", "train-132", "dev-038", "train-058"} {
			if ps[i].ID == id {
				for _, c := range ps[i].e.candidates {
					fmt.Printf("C %s %.2f: ", id, dot(w, c))
					for k, nm := range append(clash.FeatureNames(), "bias") {
						if v := w[k] * c[k]; v > .15 || v < -.15 || k < 16 && c[k] > 0 {
							fmt.Printf("%s %.2f*%.1f=%.2f; ", nm, w[k], c[k], v)
						}
					}
					fmt.Println()
				}
			}
		}
	}
	for i, nm := range append(clash.FeatureNames(), "bias") {
		fmt.Printf("W %+.2f %s\n", w[i], nm)
	}
	_ = n
}

var pri = func() []float64 {
	names := clash.FeatureNames()
	w := make([]float64, len(names)+1+4*300)
	m := map[string]float64{"family number": 1.3, "family measure": 1.5, "family share": 1.5, "family port": 1.6, "family version": 1.5, "family calendar": 1.4, "family polarity": 0.7, "family opposite": 1.1, "family alternative": 1.3, "family identifier": 1.1, "family name": 0.9, "family order": 1.2, "family list": 1.0, "family quantifier": .3, "family policy": .5, "coverage near the place, better": 1, "coverage near the place, other": 1.5, "coverage of clause, other": .5, "same noun counted": .5, "other noun counted": -.7, "words around match": .3, "extra of order": .5}
	for i, n := range names {
		w[i] = m[n]
	}
	return w
}()
