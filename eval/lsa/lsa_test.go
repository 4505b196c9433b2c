package lsa_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval/lsa"
)

const tokenizer = `{"added_tokens":[{"id":0,"content":"[UNK]"}],"model":{"type":"WordPiece","continuing_subword_prefix":"##",
"vocab":{"[UNK]":0,"the":1,"cat":2,"##s":3,"dog":4,"bark":5,"meow":6,"car":7,"drive":8,"road":9,".":10,"fast":11}}}`

func TestWordPiece(t *testing.T) {
	w, err := lsa.ParseWordPiece([]byte(tokenizer))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]int{{1}, {2, 3}, {10}, {4}}
	if diff := cmp.Diff(want, w.Words("The CATS. zebra dog catx")); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"", "{}", `{"model":{"type":"BPE","vocab":{"a":0}}}`, `{"model":{"type":"WordPiece","vocab":{"a":-1}}}`} {
		if _, err := lsa.ParseWordPiece([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a tokenizer", bad)
		}
	}
}

// TestDecompose takes apart a matrix whose singular values are known: a
// diagonal one, and one of rank 2 made of orthogonal vectors.
func TestDecompose(t *testing.T) {
	n := 60
	diagonal := make(map[[2]int]float64)
	for i := range n {
		diagonal[[2]int{i, i}] = 64 * math.Pow(0.8, float64(i))
	}
	values, left := lsa.Decompose(t.Context(), diagonal, n, 5)
	for k, got := range values {
		if want := 64 * math.Pow(0.8, float64(k)); math.Abs(got-want) > 1e-6*want {
			t.Errorf("diagonal: value %d is %v, want %v", k, got, want)
		}
	}
	if x := math.Abs(left[0][0]); x < 0.99 {
		t.Errorf("diagonal: the first vector points elsewhere: %v", left[0][:3])
	}
	// 6·u·aᵀ + 2·v·bᵀ with u=(1,1)/√2, v=(1,-1)/√2, a=e0, b=e1
	r := 1 / math.Sqrt2
	two := map[[2]int]float64{{0, 0}: 6 * r, {1, 0}: 6 * r, {0, 1}: 2 * r, {1, 1}: -2 * r, {3, 3}: 0}
	values, left = lsa.Decompose(t.Context(), two, 4, 2)
	if math.Abs(values[0]-6) > 1e-9 || math.Abs(values[1]-2) > 1e-9 {
		t.Errorf("rank 2: values are %v, want 6 and 2", values)
	}
	if d := math.Abs(left[0][0]*left[1][0] + left[0][1]*left[1][1]); d > 1e-9 || math.Abs(math.Abs(left[0][0])-r) > 1e-9 {
		t.Errorf("rank 2: vectors are %v", left)
	}
}

func TestEigen(t *testing.T) {
	values, columns := lsa.Eigen([][]float64{{2, 1, 0}, {1, 2, 0}, {0, 0, 5}})
	for i, value := range values {
		v := []float64{columns[0][i], columns[1][i], columns[2][i]}
		image := []float64{2*v[0] + v[1], v[0] + 2*v[1], 5 * v[2]}
		for k := range v {
			if math.Abs(image[k]-value*v[k]) > 1e-9 {
				t.Errorf("%v is no eigenvector of %v", v, value)
			}
		}
	}
}

// TestTrain: words of like company are alike, and the file reads back.
func TestTrain(t *testing.T) {
	w, err := lsa.ParseWordPiece([]byte(tokenizer))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for range 40 {
		texts = append(texts, "the cat meow", "the cats meow", "the dog bark", "dog meow", "cat bark", "the car drive fast road", "drive car road", "fast road")
	}
	train := func() lsa.Table {
		table, err := lsa.Train(context.Background(), w, texts, 4, func(string, int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	table := train()
	cos := func(a, b int) float64 {
		var ab, aa, bb float64
		for k, x := range table.Vectors[a] {
			y := table.Vectors[b][k]
			ab, aa, bb = ab+float64(x*y), aa+float64(x*x), bb+float64(y*y)
		}
		return ab / math.Sqrt(aa*bb)
	}
	if cos(2, 4) <= cos(2, 7) {
		t.Errorf("a cat is as near to a car (%.2f) as to a dog (%.2f)", cos(2, 7), cos(2, 4))
	}
	if diff := cmp.Diff(table, train()); diff != "" {
		t.Errorf("trained again, the table differs:\n%s", diff)
	}
	checkFile(t, table)
	if _, err := lsa.Train(context.Background(), w, nil, 4, func(string, int, int) {}); err == nil {
		t.Error("no texts make a table")
	}
}

func checkFile(t *testing.T, table lsa.Table) {
	t.Helper()
	dir := t.TempDir()
	if err := table.Write(dir, []byte(tokenizer)); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	length := binary.LittleEndian.Uint64(b)
	var header map[string]struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
	}
	if err := json.Unmarshal(b[8:8+length], &header); err != nil {
		t.Fatal(err)
	}
	tensor, data := header["embeddings"], b[8+length:]
	if tensor.Type != "F32" || !cmp.Equal(tensor.Shape, []int{12, 4}) || !cmp.Equal(tensor.Offsets, []int{0, len(data)}) {
		t.Errorf("the header says %+v of %d bytes", tensor, len(data))
	}
	if got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*4*2:])); got != table.Vectors[2][0] {
		t.Errorf("the third vector begins with %v, want %v", got, table.Vectors[2][0])
	}
	for _, name := range []string{"config.json", "tokenizer.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
