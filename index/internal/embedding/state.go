package embedding

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// Vectors lie beside the index's folder current/, in a folder for each model:
// two models' vectors never mix, and going back to a model finds its own. They
// survive a rebuild of the index, because they are named by the text they stand
// for.
const (
	vectorFolders  = "vectors-*" // of a model: a digest of its ID in place of the star
	vectorFile     = "vectors"
	neighbourFile  = "near"
	embeddedFile   = "state.json"
	LockFile       = "vectors.lock"      // who embeds, whatever the model
	unusedVectors  = 30 * 24 * time.Hour // how long a model's vectors outlive their use
	modelDigestHex = 12
)

// state is what is known of the vectors of a model.
type state struct {
	Model    string `json:"model"`
	Revision string `json:"revision"` // of which Missing speaks
	Missing  int    `json:"missing"`
	Live     int    `json:"live"`    // claims that stood, when all were last looked at
	Related  int    `json:"related"` // rows whose neighbours are in the file of neighbours
	// What the files were like when this was written. Who finds them otherwise
	// has to look at every row before relying on them.
	Bytes      int64     `json:"bytes"`
	Written    time.Time `json:"written"`
	Neighbours int64     `json:"neighbours"` // bytes
}

// vectorPath is a file of the model's folder.
func (x *Vectors) vectorPath(name string) string {
	sum := sha256.Sum256([]byte(x.model.ID()))
	return filepath.Join(filepath.Join(x.dir, "vectors-"+hex.EncodeToString(sum[:])[:modelDigestHex]), name)
}

// readEmbedded is the zero value where nothing is known.
func (x *Vectors) readEmbedded() state {
	e, err := readEmbeddedAt(x.vectorPath(embeddedFile))
	if err != nil || e.Model != x.model.ID() {
		return state{Model: x.model.ID()}
	}
	return e
}

func readEmbeddedAt(path string) (e state, err error) {
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &e)
	}
	return e, err
}

// seal notes what the files are like after this process wrote them.
func (e *embedCall) seal() {
	e.state.Bytes, e.state.Written = 0, time.Time{}
	if info, err := os.Stat(e.vectorPath(vectorFile)); err == nil { // else there was nothing to embed
		e.state.Bytes, e.state.Written = info.Size(), info.ModTime()
	}
	e.state.Neighbours = sizeOf(e.vectorPath(neighbourFile))
}

// save writes down what is known of the vectors as they are now.
func (e *embedCall) save() error {
	e.seal()
	raw, err := json.Marshal(e.state)
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

// unchanged reports whether the vectors are the ones that e speaks of.
func (x *Vectors) unchanged(e state) bool {
	info, err := os.Stat(x.vectorPath(vectorFile))
	if err != nil {
		return e.Bytes == 0 && e.Related == 0
	}
	return info.Mode().IsRegular() && info.Size() == e.Bytes && info.ModTime().Equal(e.Written)
}

// otherModel is the model that this folder was last embedded with, "" where
// there was none or the present one was in use before.
func (x *Vectors) otherModel() string {
	if _, err := os.Stat(x.vectorPath(embeddedFile)); err == nil {
		return ""
	}
	var latest state
	folders, _ := filepath.Glob(filepath.Join(x.dir, vectorFolders))
	for _, folder := range folders {
		if e, err := readEmbeddedAt(filepath.Join(folder, embeddedFile)); err == nil && !e.Written.Before(latest.Written) {
			latest = e
		}
	}
	return latest.Model
}

// forgetUnused removes the vectors of models that nobody has used for long.
func (x *Vectors) forgetUnused(now time.Time) {
	folders, _ := filepath.Glob(filepath.Join(x.dir, vectorFolders))
	for _, folder := range folders {
		info, err := os.Stat(filepath.Join(folder, embeddedFile))
		if err == nil && folder != filepath.Dir(x.vectorPath("")) && now.Sub(info.ModTime()) > unusedVectors {
			_ = os.RemoveAll(folder)
		}
	}
}
