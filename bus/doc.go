// Package bus has the exchange between agents: the messages between parent and child (the
// bus document §7), the budgets of a message and of a turn (the bus document §3), grants
// beyond the budgets, and the shared brief.
//
// The package is pure and deterministic: the same message, limits and grants give the same
// verdict. Usage and the key that signs grants are kept by bus/ledger.
package bus
