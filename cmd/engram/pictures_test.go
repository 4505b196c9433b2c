package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// TestPictures takes the pictures of the documents from the demo's dashboard:
//
//	ENGRAM_PICTURES=docs go test ./cmd/engram -run TestPictures
//
// writes them. Otherwise it only sees that they can be taken.
func TestPictures(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no chromium is installed")
	}
	folder := os.Getenv("ENGRAM_PICTURES")
	if folder == "" {
		folder = t.TempDir()
	} else {
		folder = filepath.Join("..", "..", folder)
	}
	client, address := lookAt(t, nil, "demo", "--dashboard", "--no-open")
	request, err := client.Get(address + "facts")
	if err != nil {
		t.Fatal(err)
	}
	_ = request.Body.Close()
	cookies := client.Jar.Cookies(request.Request.URL)
	if len(cookies) != 1 {
		t.Fatalf("%d cookies", len(cookies))
	}
	_, conflicts := fetch(t, client, address+"conflicts")
	conflict := pathRE.FindString(conflicts)

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if err := chromedp.Run(ctx, network.SetCookie(cookies[0].Name, cookies[0].Value).WithDomain("127.0.0.1").WithPath("/dashboard")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		name, page, theme string
	}{{"dashboard-facts", "facts?scope=billing", "light"}, {"dashboard-conflict", conflict, "light"}, {"dashboard-fact", "facts/domain/infra/gateway-limit", "dark"}, {"dashboard-map", "map", "light"}} {
		var picture []byte
		err := chromedp.Run(ctx,
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: p.theme}}),
			emulation.SetDeviceMetricsOverride(1180, 760, 1, false),
			chromedp.Navigate(address+p.page), chromedp.WaitVisible("#page"), chromedp.Sleep(300*time.Millisecond), chromedp.CaptureScreenshot(&picture))
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		if len(picture) < 10_000 {
			t.Errorf("%s has %d bytes", p.name, len(picture))
		}
		if err := os.WriteFile(filepath.Join(folder, p.name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
