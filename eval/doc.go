// Package eval measures how well engram finds facts, beside the tools that an
// engineer would use without it, over the same facts and the same questions in
// one run.
//
// A suite is facts and questions with what answers them. Each suite gets a
// throw-away repository with a memory in it, which is filled and asked through
// package memory alone, like by any other surface. What is measured is reported
// for people (SuiteReport), kept as ids and ranks in golden files (Golden), and
// never holds the text of a fact.
//
// It is not for measuring throughput, and its numbers do not compare with those
// that others publish for the same data: the questions are chosen here.
package eval
