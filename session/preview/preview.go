package preview

func Of(tool, name, mediaType string, data []byte) (string, string) {
	return string(data[:min(len(data), 100)]), "text/plain"
}
