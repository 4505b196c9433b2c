package topics

const pointersTopic = `A pointer says where the evidence of a fact stands:

  repo:PATH#L12-L40@COMMIT    lines of a file; without lines the file, or what
                              is in a folder
  artifact:PATH#sec=NAME@COMMIT  a section of a document, by its heading
  test:PATH#NAME@COMMIT       a test: TestX, TestX/sub, TestClass::test_x
  diff:A..B#PATH              what changed there between two commits
  sam:KEY@VERSION             a fact of this memory
  url:https://...             a page; engram never fetches it

Paths are from the top of the repository, with forward slashes. A commit is 7 to
40 digits. Type less, and it is completed for the commit you are at:

  src/a.go                    a file or folder
  src/a.go:12                 a line, as compilers write it
  src/a.go:12-40              lines; src/a.go#L12-L40 is the same
  docs/spec.md#Budget rules   a section; #budget-rules and #BudgetRules find it
  src/a_test.go#TestX         a test
  domain/auth/session         a fact, as it is now

Typed in a folder, a path is from there. Lines are taken as your work tree has
them: where HEAD has the same lines elsewhere, those are meant, and what is not
committed yet gets no commit, with a warning. No symbolic link is followed.

With "engram commit --pointer" each gets a digest of what stands there, by which
it shows later whether that has changed.`
