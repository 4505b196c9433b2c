package memory_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
)

// TestPublicRemotesAreToldOf: a memory that would go where anybody can read it
// is said to, when it begins, when somebody is invited or joins, and by doctor.
func TestPublicRemotesAreToldOf(t *testing.T) {
	dir, remote := pairSharing(t)
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(remote))))
	defer server.Close()
	address := server.URL + "/team.git"
	serve := func() { gitIn(t, remote, "update-server-info") }
	serve()
	gitIn(t, dir, "remote", "set-url", "origin", address)
	gitIn(t, dir, "remote", "set-url", "--push", "origin", remote)
	ada := openMemory(t, dir)
	if r := ada.begin(memory.BeginInput{}); r.Visibility != memory.Public {
		t.Errorf("begin = %+v", r)
	}
	invited, err := ada.Invite(t.Context(), memory.InviteInput{})
	if err != nil || invited.Visibility != memory.Public || !invited.Pushed || invited.Remote != address {
		t.Fatalf("invite = %+v, %v", invited, err)
	}
	serve()
	ben := bench{nil, t, newRepo(t), newClock()}.as("Ben")
	// Over plain http nothing can be pushed: Ben reads along.
	if r, err := ben.join(invited.Key); err != nil || r.Visibility != memory.Public || !r.Begun || r.Pushed {
		t.Errorf("join = %+v, %v", r, err)
	}
	d, err := ada.Doctor(t.Context(), memory.DoctorInput{})
	if err != nil || !d.Healthy {
		t.Errorf("doctor = %+v, %v", d, err)
	}
	said := ""
	for _, c := range d.Checks {
		if c.Name == "visibility" {
			said = c.Problem + c.Hint
		}
	}
	if !strings.Contains(said, "anybody can read origin") || !strings.Contains(said, "engram init --remote") {
		t.Errorf("doctor says %q", said)
	}
}
