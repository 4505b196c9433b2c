package dashboard_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"engram/dashboard"
	"engram/memory"
)

// copied is a copy of the dashboard of a memory.
func copied(t *testing.T, m *memory.Memory, dir, agent string) dashboard.ExportResult {
	t.Helper()
	r, err := exported(t, m, dashboard.ExportInput{Dir: dir, Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func exported(t *testing.T, m *memory.Memory, in dashboard.ExportInput) (dashboard.ExportResult, error) {
	t.Helper()
	d, err := dashboard.New(dashboard.Options{
		Lend: func(context.Context) (*memory.Memory, string, func(error), error) { return m, "", func(error) {}, nil },
		Name: "shop",
	})
	if err != nil {
		t.Fatal(err)
	}
	return d.Export(t.Context(), m, in)
}

// full is a memory with what a copy has: many facts, odd keys, hostile claims, conflicts open and settled, and
// facts that the agent guest may not read.
func full(t *testing.T) *memory.Memory {
	t.Helper()
	m, _ := server(t, nil)
	d := &desk{Memory: m, t: t}
	for i := range 55 {
		d.state(fmt.Sprintf("Café svc-%d keeps its logs.", i), fmt.Sprintf("architecture/services/svc-%d", i))
	}
	d.state(`<script>alert(1)</script> says "hello" & 'bye' <rlo>.`, "domain/odd/html")
	byHand(t, m, "domain/odd/html", strings.NewReplacer("<rlo>", "\u202e"))
	d.state("Names have upper case and dots.", "finding/odd/Case.File")
	d.state("The gateway listens on port 8443.", "domain/infra/gateway")
	d.state("The gateway listens on port 9443.", "domain/infra/port")
	d.state("The old gate is blue.", "domain/infra/gate")
	if _, err := m.Retire(t.Context(), "domain/infra/gate", "torn down", ""); err != nil {
		t.Fatal(err)
	}
	d.state("The vault canary7411 has two doors.", "domain/vault/canary7411")
	if _, err := m.Audit(t.Context(), memory.AuditInput{}); err != nil {
		t.Fatal(err)
	}
	return m
}

var linksRE = regexp.MustCompile(` (?:href|src)="([^"]*)"`)

// checkLinks follows every link of every page of a copy to a file.
func checkLinks(t *testing.T, dir string) (pages int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		pages++
		data, err := os.ReadFile(path)
		for _, found := range linksRE.FindAllStringSubmatch(string(data), -1) {
			link := html.UnescapeString(found[1])
			u, err := url.Parse(link)
			if err != nil || u.IsAbs() || strings.HasPrefix(u.Path, "/") {
				t.Errorf("%s leads to %q", path, link)
				continue
			}
			if u.Path == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(u.Path))); err != nil {
				t.Errorf("%s leads to %q: %v", path, link, err)
			}
		}
		for _, word := range []string{"\u202e", `<form method="post"`, "csrf", "/dashboard/", "data-events=\"/"} {
			if strings.Contains(string(data), word) {
				t.Errorf("%s has %q, which needs a server", path, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// TestExport: the copy has every fact, all its links lead to files, and a copy of before is replaced.
func TestExport(t *testing.T) {
	m, dir := full(t), filepath.Join(t.TempDir(), "public", "site")
	r := copied(t, m, dir, "")
	if pages := checkLinks(t, dir); r.Facts != 61 || pages < r.Facts+6 || r.Pages < pages || r.Moved {
		t.Errorf("%+v, and there are %d pages", r, pages)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(page), "facts/from-50.html") || !strings.Contains(string(page), "index.html#kind=fact") {
		t.Errorf("%v\n%s", err, page)
	}
	if err := os.WriteFile(filepath.Join(dir, "left over"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	copied(t, m, dir, "")
	if _, err := os.Stat(filepath.Join(dir, "left over")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy of before is still there: %v", err)
	}
	list, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(list) != 1 {
		t.Errorf("beside the copy: %v, %v", list, err)
	}
}

// TestExportKeepsPermissions: what an agent may not read is in no file and no name of its copy.
func TestExportKeepsPermissions(t *testing.T) {
	m := full(t)
	if _, err := m.SetPolicy(t.Context(), memory.SetPolicyInput{Text: "format: 1\npermissions:\n  - {agent: guest, scope: vault, read: false}\n"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Commit(t.Context(), memory.CommitInput{Claim: "The vault canary7411 has a window.", Key: "domain/vault/canary7411", Scope: "vault", Agent: "claude"}); err != nil {
		t.Fatal(err)
	}
	seen := func(dir string) (files []string) {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				t.Error(err)
				return err
			}
			data := []byte{}
			if !e.IsDir() {
				data, err = os.ReadFile(path)
			}
			if strings.Contains(path+string(data), "canary7411") {
				files = append(files, path)
			}
			return err
		})
		return files
	}
	guest, person := filepath.Join(t.TempDir(), "guest"), filepath.Join(t.TempDir(), "person")
	if r := copied(t, m, guest, "guest"); r.Withheld == 0 {
		t.Errorf("nothing is withheld: %+v", r)
	}
	copied(t, m, person, "")
	if files := seen(guest); len(files) > 0 {
		t.Errorf("the copy of guest has it in %v", files)
	}
	if files := seen(person); len(files) < 3 {
		t.Errorf("a person's copy has it in %v alone", files)
	}
}

// TestExportRefusesFolders: no folder of somebody is replaced, and a copy that is cancelled leaves the one of
// before.
func TestExportRefusesFolders(t *testing.T) {
	m, dir := full(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, filepath.Join(dir, "thesis.txt"), filepath.Join(dir, ".git", "site")} {
		if _, err := exported(t, m, dashboard.ExportInput{Dir: dir}); !errors.Is(err, dashboard.ErrFolder) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	site := filepath.Join(t.TempDir(), "site")
	copied(t, m, site, "")
	before, err := os.ReadFile(filepath.Join(site, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d, err := dashboard.New(dashboard.Options{Lend: func(context.Context) (*memory.Memory, string, func(error), error) { return m, "", func(error) {}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Export(ctx, m, dashboard.ExportInput{Dir: site, Progress: func(done, _ int) {
		if done == 20 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(site, "index.html")); err != nil || !slices.Equal(before, after) {
		t.Errorf("the copy of before is gone: %v", err)
	}
	if list, _ := os.ReadDir(filepath.Dir(site)); len(list) != 1 {
		t.Errorf("it left %v", list)
	}
}

// TestExportInABrowser: below any path of a web server, and from a disk, the copy finds facts as one types, follows
// filters and has nothing that a browser complains about.
func TestExportInABrowser(t *testing.T) {
	chromium(t)
	m, dir := full(t), filepath.Join(t.TempDir(), "site")
	copied(t, m, dir, "")
	files := httptest.NewServer(http.StripPrefix("/deep/path", http.FileServer(http.Dir(dir))))
	defer files.Close()
	for name, address := range map[string]string{"web": files.URL + "/deep/path/", "disk": "file://" + filepath.ToSlash(dir) + "/"} {
		t.Run(name, func(t *testing.T) {
			w := tab(t)
			w.do(chromedp.Navigate(address+"index.html"), chromedp.WaitVisible("#q"), chromedp.SendKeys("#q", "CAFE svc-42"))
			w.shows("Café svc-42 keeps its logs.")
			w.shows("1 fact")
			w.do(chromedp.Click(`//a[contains(., "svc-42 keeps")]`), chromedp.WaitVisible("#evidence"))
			w.shows("architecture/services/svc-42")
			w.do(chromedp.Navigate(address+"map.html"), chromedp.Navigate(address+"index.html#state=retired"), chromedp.WaitVisible("#q"))
			w.shows("The old gate is blue.")
			w.do(chromedp.Click(`//a[contains(., "old gate")]`), chromedp.WaitVisible("#evidence"))
			w.do(chromedp.Navigate(address+"conflicts.html"), chromedp.WaitVisible("#page"))
			w.shows("9443")
			if name == "web" { // axe-core asks for the style, which a browser refuses it from a disk
				w.accessible(name)
			}
			w.do(chromedp.Navigate(address+"facts/from-50.html"), chromedp.WaitVisible("#q"))
			w.shows("<script>alert(1)</script> says")
			w.quiet(name)
		})
	}
}
