package look

import (
	"context"
	"errors"

	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/dashboard"
	"engram/memory"
)

// exported says what a copy of the dashboard has.
type exported struct {
	SchemaVersion int    `json:"schema_version"`
	Revision      string `json:"revision"`
	Facts         int    `json:"facts"`
	Pages         int    `json:"pages"`
	Bytes         int64  `json:"bytes"`
	Withheld      int    `json:"withheld"` // facts that the reader may not read
	Moved         bool   `json:"moved"`    // the memory moved meanwhile
}

func runExport(ctx context.Context, opts options) error {
	opts.Scanner.Warm()
	m, _, done, err := opts.OpenWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	d, err := dashboard.New(dashboard.Options{
		Lend: func(context.Context) (*memory.Memory, string, func(error), error) {
			return m, "", func(error) {}, nil
		},
		Name: name(m), Logger: opts.Logger(), Now: opts.Now,
	})
	if err != nil {
		return err
	}
	r, err := d.Export(ctx, m, dashboard.ExportInput{
		Dir: opts.export, Agent: opts.reader,
		Progress: func(done, total int) { opts.Out.Progress.Update("write pages", done, total) },
	})
	opts.Out.Progress.Clear()
	if errors.Is(err, dashboard.ErrFolder) {
		return fault.Usage(err.Error(), "name a folder that is new, empty, or a copy that was exported before")
	}
	if err != nil {
		return err
	}
	if opts.JSON {
		return opts.Out.JSON(exported{memory.SchemaVersion, r.Revision, r.Facts, r.Pages, r.Bytes, r.Withheld, r.Moved})
	}
	opts.Out.Message("%s in %s: %s, %.1f MB; open index.html there", term.Plural(r.Facts, "fact", "facts"), opts.export, term.Plural(r.Pages, "file", "files"), float64(r.Bytes)/1e6)
	if r.Withheld > 0 {
		opts.Out.Message("note: %s withheld from %s", term.Plural(r.Withheld, "fact is", "facts are"), opts.reader)
	}
	if r.Moved {
		opts.Out.Message("note: the memory moved meanwhile, so pages may show different revisions; export again")
	}
	return nil
}
