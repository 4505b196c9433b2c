package memory

import (
	"context"

	"engram/memory/internal/proof"
)

type (
	// TouchedFile is a file of the code that is about to change.
	TouchedFile = proof.TouchedFile
	// EvidenceResult lists facts by what they rest on.
	EvidenceResult = proof.EvidenceResult
	// Evidence is a fact with evidence that is going to drift, or to be missing.
	Evidence = proof.Evidence
	// VerifyInput says which facts to hold against which state of the code.
	VerifyInput = proof.VerifyInput
	// VerifyResult is the verdict on every fact with pointers.
	VerifyResult = proof.VerifyResult
	// FactCheck is the verdict on a fact.
	FactCheck = proof.FactCheck
	// PointerCheck is the verdict on a pointer.
	PointerCheck = proof.PointerCheck
)

// Evidence finds the current facts of which evidence stands at HEAD, at its place or where
// it moved to since, and will not stand anywhere in these files any more.
func (m *Memory) Evidence(ctx context.Context, files []TouchedFile) (EvidenceResult, error) {
	return m.proof.Evidence(ctx, files)
}

// Verify holds the evidence of facts against the code, however long that takes.
func (m *Memory) Verify(ctx context.Context, in VerifyInput) (VerifyResult, error) {
	return m.proof.Verify(ctx, in)
}
