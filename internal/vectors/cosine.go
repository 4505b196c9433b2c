package vectors

// Cosine returns the cosine between the vector of a row and a query of unit length, which
// has the file's dimensions. It panics if row is not in [0, Len).
func (f *File) Cosine(row int, query []float32) float32 { return dot(f.Vector(row), query) }
