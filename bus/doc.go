// Package bus is what agents say to each other, and how much of it: the messages
// between parent and child (the bus document §7), the budgets of what a message and a turn may
// hold (the bus document §3), grants that go beyond them, and the shared brief.
//
// Everything here is pure and deterministic: the same message, limits and grants give
// the same verdict. Usage, and the key that grants are signed with, are
// kept by bus/ledger.
package bus
