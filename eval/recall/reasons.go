package recall

import "slices"

// Kinds of reasons that a message gives among other sentences, asked for in other words. What recall
// does with the first was looked at while it was changed; with the others only at the end.
const (
	Reason     Kind = "reason in a message"
	ReasonHeld Kind = "reason in a message, held back"
)

// reasons are what people decide and why, and questions that have no word of it. Every second one,
// from the second on, is held back.
var reasons = [...]struct{ text, asked string }{
	{"We went with Envoy rather than Nginx because it reloads routes without dropping sockets", "What was the thinking behind our edge proxy?"},
	{"We decided to keep money in integer cents because floats lose pennies in refunds", "Why are amounts not stored as decimals?"},
	{"I settled on Playwright instead of Cypress because it drives WebKit as well", "Why this browser automation tool for end-to-end checks?"},
	{"We chose Argon2 over bcrypt because of its resistance to graphics cards", "What is the reason for the way credentials are hashed?"},
	{"Let's stick with squash merges because bisecting a noisy log cost us two days", "Why may each pull request only become one commit?"},
	{"We agreed to pin every third-party action to a digest because a tag was moved under us in March", "What made us lock external CI dependencies that strictly?"},
	{"We opted for server-sent events rather than sockets in both directions because proxies of customers cut upgrades", "Why do notifications stream one way only?"},
	{"We decided on UUIDv7 because index pages stay warm when keys grow in order", "Why are identifiers time-sortable?"},
	{"We picked Vault over encrypted files because rotation must not need a rollout", "What speaks for our secrets manager?"},
	{"I went with a single repository because atomic refactorings across clients matter more than small checkouts", "Why did the team adopt a monorepo?"},
	{"We chose Datadog over Prometheus because nobody is on call for the monitoring itself", "What justified paying for observability as a product?"},
	{"We decided to drop the ORM because its lazy loading hid thirty queries behind one loop", "Why do we write SQL by hand?"},
	{"We settled on blue-green releases because a half-updated fleet corrupted sessions", "For what reason do deployments switch all machines at once?"},
	{"We chose pnpm over Yarn because phantom imports break at install and not in production", "Why this JavaScript package manager?"},
	{"We agreed that feature flags expire after ninety days because dead branches made every change twice as slow", "What was the rationale for cleaning up toggles?"},
	{"We went with OpenSearch instead of Solr because the hosted one is patched for us", "Why did we select that full-text engine?"},
	{"We decided to retry only idempotent calls because a doubled charge is worse than a failed one", "Why are payments not repeated automatically after an error?"},
	{"We chose Rust over Go because pauses of the collector showed in the tail", "What argument decided the programming language of the hot path?"},
	{"We picked Auth0 rather than our own login because audits ask for what we cannot staff", "Why is identity outsourced?"},
	{"We decided to truncate stack traces at forty frames because one recursion filled the disk", "What motivated the limit on crash reports?"},
	{"We went with Airflow over cron because late data needs backfills that know their parents", "Why do we use this workflow scheduler?"},
	{"We chose Parquet over CSV because columns nobody reads should cost nothing", "What was the motive for the file format of exports?"},
	{"We agreed to freeze the schema on Thursdays because migrations before weekends woke people twice", "Why can the database not be altered late in the week?"},
	{"We decided against GraphQL because partners cache by URL", "Why does the public interface remain plain REST?"},
}

// reasonsOfTrace is how many of them one trace has: six traces have all.
const reasonsOfTrace = 4

// plantReasons makes the first turns of a trace of reasons: each is a sentence of a message.
func plantReasons(trace int) (events []said, needles []needle) {
	for i := range reasonsOfTrace {
		n := (trace*reasonsOfTrace + i) % len(reasons)
		kind := Reason
		if n%2 == 1 {
			kind = ReasonHeld
		}
		needles = append(needles, needle{kind: kind, value: reasons[n].text, question: reasons[n].asked})
		events = append(events,
			said{turn: i + 1, kind: "user_message", text: "Go on with the next step of the plan."},
			said{turn: i + 1, kind: "agent_message", text: "The checks pass now. " + reasons[n].text + ". Next I bring the tests in line with it."})
	}
	return events, needles
}

// isReason reports a kind that a sentence with a reason answers.
func isReason(kind Kind) bool {
	return slices.Contains([]Kind{Rationale, Reworded, Reason, ReasonHeld}, kind)
}
