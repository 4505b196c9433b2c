package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed static/*.css static/*.js static/*.svg
var static embed.FS

// asset is a file with its digest, which is part of its address, so that browsers may keep it.
type asset struct {
	plain, packed []byte
	address       string
}

// assets has the files by the names that templates call them by, and by their addresses. They
// are packed when first asked for.
var assets = sync.OnceValue(func() map[string]*asset {
	list := make(map[string]*asset)
	names, _ := fs.Glob(static, "static/*")
	for _, name := range names {
		data, err := static.ReadFile(name)
		if err != nil {
			continue // embedded files can be read
		}
		sum := sha256.Sum256(data)
		base := path.Base(name)
		ext := path.Ext(base)
		a := &asset{plain: data, packed: pack(data), address: strings.TrimSuffix(base, ext) + "." + hex.EncodeToString(sum[:6]) + ext}
		list[base], list[a.address] = a, a
	}
	return list
})

func pack(data []byte) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(data)
	_ = z.Close()
	return packed.Bytes()
}

// staticPath is the address of a file.
func staticPath(name string) string {
	if a := assets()[name]; a != nil {
		return Root + "/static/" + a.address
	}
	return ""
}

// serveStatic serves a file to anybody: the login has a style as well.
func serveStatic(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	a := assets()[name]
	if a == nil || a.address != name {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	send(w, r, http.StatusOK, a.plain, a.packed)
}

// fewBytes are not worth packing.
const fewBytes = 1400

// write sends a page, packed if the client takes that.
func write(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if len(body) < fewBytes || !takesGzip(r) {
		send(w, r, status, body, nil)
		return
	}
	send(w, r, status, body, pack(body))
}

func takesGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

func send(w http.ResponseWriter, r *http.Request, status int, plain, packed []byte) {
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	body := plain
	if packed != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = packed
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone
}
