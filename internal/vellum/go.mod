module github.com/blevesearch/vellum

go 1.26.0

require vellum.original v1.2.0
