package model_test

// bertGraph is an ONNX file: rows[input_ids] + types[token_type_ids], for the
// average over the text if mean, times the identity matrix. It has the inputs
// and outputs of BERT's exports.
func bertGraph(rows, second []float32, dims int, mean bool) []byte {
	types := append(make([]float32, dims), second...)
	var g message
	g.bytes(1, node("Gather", "by_token", nil, "rows", "input_ids"))
	g.bytes(1, node("Gather", "by_type", nil, "types", "token_type_ids"))
	g.bytes(1, node("Add", "sum", nil, "by_token", "by_type"))
	addOutput(&g, "sum", dims, mean)
	g.string(2, "tiny")
	g.bytes(5, tensor("rows", rows, len(rows)/dims, dims))
	g.bytes(5, tensor("types", types, 2, dims))
	addInputs(&g, "input_ids", "attention_mask", "token_type_ids")
	return modelOf(g)
}

// addOutput gives the graph its output: what last holds for each token, or the
// average of that if mean, times the identity matrix.
func addOutput(g *message, last string, dims int, mean bool) {
	identity := make([]float32, dims*dims)
	for i := range dims {
		identity[i*dims+i] = 1
	}
	name, shape := "last_hidden_state", []any{"batch", "sequence", dims}
	if mean {
		g.bytes(1, node("ReduceMean", "mean", []message{ints("axes", 1), integer("keepdims", 0)}, last))
		name, shape, last = "logits", []any{"batch", dims}, "mean"
	}
	g.bytes(1, node("MatMul", name, nil, last, "identity"))
	g.bytes(5, tensor("identity", identity, dims, dims))
	g.bytes(12, value(name, typeFloat, shape...))
}

func addInputs(g *message, names ...string) {
	for _, name := range names {
		g.bytes(11, value(name, typeInt64, "batch", "sequence"))
	}
}

// modelOf is the file of a graph.
func modelOf(g message) []byte {
	var version, m message
	version.varint(2, 13)
	m.varint(1, 8)
	m.bytes(7, g)
	m.bytes(8, version)
	return m
}
