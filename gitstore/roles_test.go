package gitstore_test

import (
	"context"
	"fmt"
	"strconv"

	"engram/gitstore"
)

// runUpdater: REPOSITORY NAME COUNT [SHARED] makes COUNT updates, each of a
// file of its own or of the SHARED one, and prints each revision once it is
// acknowledged.
func runUpdater(args []string) error {
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	ctx := context.Background()
	store, err := gitstore.Open(ctx, args[0], nil)
	if err != nil {
		return err
	}
	defer store.Close()
	for i := range count {
		path := fmt.Sprintf("domain/%s/fact-%d.yml", args[1], i)
		if len(args) > 3 {
			path = args[3]
		}
		data := fmt.Appendf(nil, "%s %d\n", args[1], i)
		revision, err := store.Update(ctx, func(string) ([]gitstore.Write, gitstore.Meta, error) {
			return []gitstore.Write{{Path: path, Data: data}}, gitstore.Meta{Message: path + "\n"}, nil
		})
		if err != nil {
			return fmt.Errorf("%s, update %d: %w", args[1], i, err)
		}
		fmt.Println(revision, path)
	}
	return nil
}

// runWriter: REPOSITORY NAME writes for ever, every third time so much that a
// pack is made, and prints one path of each acknowledged commit.
func runWriter(args []string) error {
	ctx := context.Background()
	store, err := gitstore.Open(ctx, args[0], nil)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		path := fmt.Sprintf("domain/%s/fact-%d.yml", args[1], i)
		_, err := store.Update(ctx, func(string) ([]gitstore.Write, gitstore.Meta, error) {
			writes := []gitstore.Write{{Path: path, Data: []byte(path)}}
			for j := range i % 3 / 2 * 40 {
				more := fmt.Sprintf("domain/%s-more/%d-%d.yml", args[1], i, j)
				writes = append(writes, gitstore.Write{Path: more, Data: []byte(more)})
			}
			return writes, gitstore.Meta{Message: path + "\n"}, nil
		})
		if err != nil {
			return err
		}
		fmt.Println(path)
	}
}

// runApplier: REPOSITORY FILES BYTES LIMIT makes one commit of FILES files of
// BYTES each, where no file may grow beyond LIMIT bytes (0: no limit), and
// prints what Apply says.
func runApplier(args []string) error {
	var n [3]int
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(args[i+1]); err != nil {
			return err
		}
	}
	ctx := context.Background()
	store, err := gitstore.Open(ctx, args[0], nil)
	if err != nil {
		return err
	}
	defer store.Close()
	tip, err := store.Tip(ctx)
	if err != nil {
		return err
	}
	if _, err := store.Identity(ctx); err != nil {
		return err
	}
	if err := limitFileSize(n[2]); err != nil {
		return err
	}
	_, err = store.Apply(ctx, tip, manyWrites(n[0], n[1]), gitstore.Meta{Message: "too much\n"})
	fmt.Println(err)
	return nil
}

// manyWrites is content that does not compress, different for each file.
func manyWrites(files, bytes int) []gitstore.Write {
	writes := make([]gitstore.Write, files)
	for i := range writes {
		state := uint64(i) + 1
		data := make([]byte, bytes)
		for j := range data {
			state = state*6364136223846793005 + 1442695040888963407
			data[j] = byte(state >> 56)
		}
		writes[i] = gitstore.Write{Path: fmt.Sprintf("domain/many/%d.yml", i), Data: data}
	}
	return writes
}

// runPurger: REPOSITORY rewrites the history without the leak, and prints a line
// before and one after.
func runPurger(args []string) error {
	ctx := context.Background()
	store, err := gitstore.Open(ctx, args[0], nil)
	if err != nil {
		return err
	}
	defer store.Close()
	fmt.Println("begin")
	done, err := store.RewriteHistory(ctx, always(dropLeak()))
	fmt.Println(done.New)
	return err
}
