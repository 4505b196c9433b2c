package topics

// messagesTopic is the page of help on messages. A test compares its two examples with
// the forms and with "engram bus schema --template".
const messagesTopic = `Agents send each other messages in two forms, as YAML or JSON. A child reports
to its parent:

` + ChildTemplate + `
A parent starts a child with a brief, which "engram brief --to" makes:

` + ParentTemplate + `
ENGRAMS and SHARED_BRIEF_MICRO may be empty lists. A child may omit POINTER_PACK
and DEREF_REQUESTS, and a parent GRANTS, TARGET_POINTER_PACK and INSTRUCTIONS.

kind        the kind of engram: risk, constraint, decision, interface, fact, ...
confidence  0 to 1; ttl: ISO-8601 such as P7D; scope: run, project, org, global
pointers    1 to 12 for each engram; a ref ends with @ and a commit (see engram
            help pointers). The reader pulls the content, up to a budget

Limits of a message (set in .engram.yml under bus):

  max_inline_tokens      800   the whole message
  max_engrams             12   of a child
  max_claim_chars        500   one claim
  max_inline_code_chars    0   code; "engram bus grant --inline" permits more
  a shared brief          30   lines

  engram bus schema --template child > report.yml
  engram bus validate report.yml     what is wrong, and what to send instead
  engram bus submit report.yml --agent NAME`

// ChildTemplate is an example of what a child agent reports.
const ChildTemplate = `  ROLE: reviewer
  TASK_STATUS: done
  ENGRAMS:
    - kind: risk
      claim: Reservations are not released when a vendor times out.
      confidence: 0.7
      ttl: P7D
      scope: project
      pointers:
        - { type: repo, ref: "repo:gateway/client.py#L28-L36@0123abc" }
  DEREF_REQUESTS:
    - pointer: { type: repo, ref: "repo:ledger/book.py#L1-L90@0123abc" }
      reason: Whether a reservation is atomic has to be seen.
  OUTPUT:
    summary: One risk found; the ledger has to be read.
    next: Await a grant.
`

// ParentTemplate is an example of what a parent agent tells a child.
const ParentTemplate = `  ROLE: lead
  SHARED_BRIEF_MICRO:
    - Reservations have to be idempotent.
  BUDGETS: { max_engrams: 5, max_inline_tokens: 800 }
  TARGET_POINTER_PACK:
    - { type: repo, ref: "repo:ledger/book.py#L1-L90@0123abc" }
  INSTRUCTIONS:
    - Confirm atomicity; no code.
`
