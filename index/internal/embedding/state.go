package embedding

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// Vectors are stored beside the index's folder current/, in a folder for each model:
// vectors of two models never mix, and a return to an earlier model finds its own. They
// survive a rebuild of the index, because their key is the text they stand for.
const (
	vectorFolders  = "vectors-*" // one for each model; the star is a digest of its ID
	vectorFile     = "vectors"
	neighbourFile  = "near"
	embeddedFile   = "state.json"
	LockFile       = "vectors.lock"      // held by the process that embeds, for any model
	unusedVectors  = 30 * 24 * time.Hour // how long unused vectors of a model are kept
	modelDigestHex = 12
)

// State is what is known of the vectors of a model.
type State struct {
	Model    string `json:"model"`
	Revision string `json:"revision"` // that Missing refers to
	Missing  int    `json:"missing"`
	Live     int    `json:"live"`    // texts that stood when all were last read
	Related  int    `json:"related"` // rows whose neighbours are in the file of neighbours
	// The files as this process wrote them. If they differ, every row must be checked
	// before use.
	Bytes      int64     `json:"bytes"`
	Written    time.Time `json:"written"`
	Neighbours int64     `json:"neighbours"` // bytes
	// Tips and Since are those of the events of sessions: what each session was at, and the
	// moment in milliseconds before which events have no vector, because there are too many.
	Tips  map[string]string `json:"tips,omitempty"`
	Since int64             `json:"since,omitempty"`
}

// vectorPath is a file of the model's folder.
func (x *Vectors) vectorPath(name string) string {
	sum := sha256.Sum256([]byte(x.model.ID()))
	return filepath.Join(filepath.Join(x.dir, "vectors-"+hex.EncodeToString(sum[:])[:modelDigestHex]), name)
}

// readEmbedded returns the zero state of the model if nothing is known.
func (x *Vectors) readEmbedded() State {
	e, err := readEmbeddedAt(x.vectorPath(embeddedFile))
	if err != nil || e.Model != x.model.ID() {
		return State{Model: x.model.ID()}
	}
	return e
}

func readEmbeddedAt(path string) (e State, err error) {
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &e)
	}
	return e, err
}

// seal records the size and time of the files after this process wrote them.
func (e *Call) seal() {
	e.Bytes, e.Written = 0, time.Time{}
	if info, err := os.Stat(e.vectorPath(vectorFile)); err == nil { // else there was nothing to embed
		e.Bytes, e.Written = info.Size(), info.ModTime()
	}
	e.Neighbours = sizeOf(e.vectorPath(neighbourFile))
}

// Save writes the state of the vectors as they are now.
func (e *Call) Save() error {
	e.seal()
	raw, err := json.Marshal(e.State)
	if err != nil {
		return err
	}
	path := e.vectorPath(embeddedFile)
	if err := os.WriteFile(path+".new", raw, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// unchanged reports whether the file of vectors is the one that e describes.
func (x *Vectors) unchanged(e State) bool {
	info, err := os.Stat(x.vectorPath(vectorFile))
	if err != nil {
		return e.Bytes == 0 && e.Related == 0
	}
	return info.Mode().IsRegular() && info.Size() == e.Bytes && info.ModTime().Equal(e.Written)
}

// otherModel is the model that this folder was last embedded with, "" if there was none or
// the present one was used before.
func (x *Vectors) otherModel() string {
	if _, err := os.Stat(x.vectorPath(embeddedFile)); err == nil {
		return ""
	}
	var latest State
	folders, _ := filepath.Glob(filepath.Join(x.dir, vectorFolders))
	for _, folder := range folders {
		if e, err := readEmbeddedAt(filepath.Join(folder, embeddedFile)); err == nil && !e.Written.Before(latest.Written) {
			latest = e
		}
	}
	return latest.Model
}

// forgetUnused removes the vectors of models that were not used for long.
func (x *Vectors) forgetUnused(now time.Time) {
	folders, _ := filepath.Glob(filepath.Join(x.dir, vectorFolders))
	for _, folder := range folders {
		info, err := os.Stat(filepath.Join(folder, embeddedFile))
		if err == nil && folder != filepath.Dir(x.vectorPath("")) && now.Sub(info.ModTime()) > unusedVectors {
			_ = os.RemoveAll(folder)
		}
	}
}
