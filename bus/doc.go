// Package bus is what agents say to each other, and how much of it: the messages
// between parent and child (seed 1 §7), the budgets of what a message and a turn may
// hold (seed 1 §3), grants that go beyond them, and the shared brief.
//
// Everything here is pure and deterministic: the same message, limits and grants give
// the same verdict. What was used up, and the key that grants are signed with, is
// bus/ledger's to keep.
package bus
