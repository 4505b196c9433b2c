// Package eval measures how well engram finds facts, and contradictions between
// them, beside what an engineer would use without it, over the same data in one
// run.
//
// Retrieval: a suite is facts and questions with what answers them. Each suite
// gets a throw-away repository with a memory in it, which is filled and asked
// through package memory alone, like by any other surface.
//
// Detection: a suite is pairs of facts with a label that says whether they
// contradict each other. They are compared through package memory, and stored
// nowhere.
//
// What is measured is reported for people (SuiteReport, DetectionSuite), kept as
// ids, ranks, verdicts and shares in golden files, and never holds the text of a
// fact unless somebody asks to be shown what went wrong.
//
// It is not for measuring throughput, and its numbers do not compare with those
// that others publish for the same data: the questions are chosen here.
package eval
