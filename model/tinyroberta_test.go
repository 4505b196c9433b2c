package model_test

// robertaPadding is the identifier of <pad>.
const robertaPadding = 1

// robertaGraph is an ONNX file: each token's row times its place, from 1 on,
// for the average over the input if mean, times the identity matrix. It has the
// inputs of RoBERTa's exports, which have no types, works out positions as they
// do, from behind the padding on, and hides what the attention mask hides.
func robertaGraph(rows, _ []float32, dims int, mean bool) []byte {
	const positions = 66
	places := make([]float32, positions)
	for p := range places {
		places[p] = float32(p - robertaPadding)
	}
	var g message
	for _, n := range []message{
		node("Equal", "is_padding", nil, "input_ids", "padding"),
		node("Not", "is_real", nil, "is_padding"),
		node("Cast", "real", []message{integer("to", typeInt64)}, "is_real"),
		node("CumSum", "count", nil, "real", "axis_1"),
		node("Mul", "counted", nil, "count", "real"),
		node("Add", "position", nil, "counted", "padding"),
		node("Gather", "place", nil, "places", "position"),
		node("Gather", "by_token", nil, "rows", "input_ids"),
		node("Mul", "placed", nil, "by_token", "place"),
		node("Cast", "mask", []message{integer("to", typeFloat)}, "attention_mask"),
		node("Unsqueeze", "mask_column", nil, "mask", "axes_2"),
		node("Mul", "seen", nil, "placed", "mask_column"),
	} {
		g.bytes(1, n)
	}
	addOutput(&g, "seen", dims, mean)
	g.string(2, "tiny")
	g.bytes(5, tensor("rows", rows, len(rows)/dims, dims))
	g.bytes(5, tensor("places", places, positions, 1))
	g.bytes(5, integers("padding", []int64{robertaPadding}))
	g.bytes(5, integers("axis_1", []int64{1}))
	g.bytes(5, integers("axes_2", []int64{2}, 1))
	addInputs(&g, "input_ids", "attention_mask")
	return modelOf(g)
}
