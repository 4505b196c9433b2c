package topics

const pointersTopic = `A pointer names the evidence of a fact:

  repo:PATH#L12-L40@COMMIT    lines of a file; without lines the file, or what
                              is in a folder
  artifact:PATH#sec=NAME@COMMIT  a section of a document, by its heading
  test:PATH#NAME@COMMIT       a test: TestX, TestX/sub, TestClass::test_x
  diff:A..B#PATH              the changes to a file between two commits
  sam:KEY@VERSION             a fact of this memory
  sam:SESSION@EVENT           what was said in a session; without an event, the
                              session in short
  artifact:SHA256             content that a session keeps; #sec=NAME as above
  url:https://...             a page; engram never fetches it

Paths start at the top of the repository and use forward slashes. A commit has 7
to 40 digits. You can type a short form, which refers to the current commit:

  src/a.go                    a file or folder
  src/a.go:12                 a line, as compilers write it
  src/a.go:12-40              lines; src/a.go#L12-L40 is the same
  docs/spec.md#Budget rules   a section; #budget-rules and #BudgetRules find it
  src/a_test.go#TestX         a test
  domain/auth/session         a fact, in its current version

A path that you type is relative to the current folder. Line numbers are those
of your work tree: if HEAD has the same lines elsewhere, the pointer names the
lines in HEAD; content that is not committed yet gets no commit, and a warning.
Symbolic links are not followed.

"engram commit --pointer" adds a digest of the content to each pointer, so that
"engram verify" can later tell whether the content has changed.`
