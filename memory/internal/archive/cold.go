package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/gitstore"
	"engram/internal/atomicfile"
	"engram/internal/hint"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/session"
)

// coldPlacesFile has the places of cold storage that prunes here used, so that what they took is
// found when the setting is not there any more.
const coldPlacesFile = "coldplaces.json"

// coldPlaces are where artifacts may be in cold storage: where the setting says, and where
// prunes here put some, the latest first.
func (a *Archive) coldPlaces() []string {
	var places []string
	if data, err := os.ReadFile(a.Folder(coldPlacesFile)); err != nil || json.Unmarshal(data, &places) != nil {
		places = nil // none was noted, or it is damaged: the setting still tells
	}
	if cold := a.coldSetting(); cold != "" {
		places = slices.Insert(slices.DeleteFunc(places, func(p string) bool { return p == cold }), 0, cold)
	}
	return places
}

// coldSetting is the place that the setting names, the same from wherever it is read.
func (a *Archive) coldSetting() string {
	if _, remote := a.coldRemote(); remote || a.Sessions.Cold == "" {
		return a.Sessions.Cold
	}
	if abs, err := filepath.Abs(a.Sessions.Cold); err == nil {
		return abs
	}
	return a.Sessions.Cold
}

// noteCold notes where a prune puts artifacts.
func (a *Archive) noteCold() error {
	if a.Sessions.Cold == "" {
		return nil
	}
	return clone.WriteJSON(a.Folder(coldPlacesFile), a.coldPlaces())
}

// remotePrefix tells a git remote from a folder.
const remotePrefix = "remote:"

// coldRemote returns the remote that the setting names, if it names one.
func (a *Archive) coldRemote() (name string, ok bool) {
	return strings.CutPrefix(a.Sessions.Cold, remotePrefix)
}

// coldRemotes are the remotes that may have artifacts.
func (a *Archive) coldRemotes() (names []string) {
	for _, place := range a.coldPlaces() {
		if name, ok := strings.CutPrefix(place, remotePrefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// coldFolders are the folders that may have artifacts: those of cold storage, and where what a
// remote had is brought back to.
func (a *Archive) coldFolders() []string {
	return append(slices.DeleteFunc(a.coldPlaces(), func(p string) bool { return strings.HasPrefix(p, remotePrefix) }), a.broughtFolder())
}

func (a *Archive) broughtFolder() string { return a.Folder("cold") }

// cool removes the artifacts that were brought back from a remote.
func (a *Archive) cool() error { return os.RemoveAll(a.broughtFolder()) }

// freeze puts the artifacts of a session into cold storage, if there is one.
func (a *Archive) freeze(ctx context.Context, s *Session) error {
	if remote, ok := a.coldRemote(); ok {
		var entries []gitstore.ThreadEntry
		for _, f := range s.files {
			if digestOf(f.Path) != "" {
				entries = append(entries, gitstore.ThreadEntry{Path: f.Path, Object: f.Object})
			}
		}
		return a.Store.SendArtifacts(ctx, remote, session.Ref(s.ID), entries)
	}
	if a.Sessions.Cold == "" {
		return nil
	}
	return a.copyCold(ctx, s, a.Sessions.Cold)
}

// copyCold copies the artifacts of a session into a folder.
func (a *Archive) copyCold(ctx context.Context, s *Session, folder string) error {
	for _, digest := range sortedIDs(s.blobs) {
		data, err := s.Artifact(ctx, digest)
		if err != nil {
			return err
		}
		if session.Digest(data) != digest {
			return fmt.Errorf("artifact %s has other content", digest)
		}
		if err := writeCold(coldFile(folder, digest), data); err != nil {
			return err
		}
	}
	return nil
}

// thaw brings the artifacts of a session back from a remote.
func (a *Archive) thaw(ctx context.Context, id, remote string) (artifacts int, err error) {
	err = a.Store.BringArtifacts(ctx, remote, session.Ref(id), func(commit string) error {
		if commit == "" {
			return nil
		}
		s := &Session{ID: id, Tip: commit, a: a}
		if err := s.list(ctx); err != nil {
			return err
		}
		artifacts = len(s.blobs)
		return a.copyCold(ctx, s, a.broughtFolder())
	})
	return artifacts, err
}

// coldFile is where an artifact is in cold storage.
func coldFile(cold, digest string) string { return filepath.Join(cold, digest[:2], digest+".gz") }

// writeCold writes an artifact into cold storage, durably, unless it is there.
func writeCold(file string, data []byte) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return atomicfile.Write(file, b.Bytes(), 0o644, true)
}

// archived reads an artifact from cold storage. The error wraps core.ErrNotFound.
func (s *Session) archived(digest string) ([]byte, error) {
	if len(digest) < 2 || strings.ContainsAny(digest, `/\.`) {
		return nil, s.errArchived(digest)
	}
	for _, folder := range s.a.coldFolders() {
		if data, err := readCold(coldFile(folder, digest)); !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, s.errArchived(digest)
}

func readCold(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func (s *Session) errArchived(digest string) error {
	advice := hint.New("its preview is in the event; if cold storage has it, set sessions.cold to that folder, or bring it from a git remote with %s and %s", hint.Do(hint.FetchArtifacts, s.ID), hint.Remote)
	if remotes := s.a.coldRemotes(); len(remotes) > 0 {
		advice = hint.New("its preview is in the event; %s brings it back if it was archived to the remote %s", hint.Do(hint.FetchArtifacts, s.ID), strings.Join(remotes, " or "))
	} else if places := s.a.coldPlaces(); len(places) > 0 {
		advice = hint.New("its preview is in the event; if it was archived, it was to %s, which does not have it now; if that was moved, set sessions.cold to where it is", strings.Join(places, " or "))
	}
	return core.NotFoundErrorf(advice, "the bytes of artifact %.12s are not in this repository", digest)
}
