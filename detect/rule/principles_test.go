package rule_test

import (
	"testing"

	"engram/detect/rule"
)

// TestPrinciples has pairs for each principle by which the rules decide what may
// clash, most of them such as must be left alone.
func TestPrinciples(t *testing.T) {
	for principle, pairs := range map[string][]comparison{
		"what asserts nothing": unasserted(), "what follows the denial": denied(), "the subject": subjects(), "across scopes": crossing(),
		"one event": events(), "demands and bans": demanded(), "no room for others": exclusive(), "opposite states": opposite(),
	} {
		t.Run(principle, func(t *testing.T) {
			for _, c := range pairs {
				a, b := c.claims()
				if f, found := rule.Compare(a, b); found != (c.verdict != nothing) {
					t.Errorf("%s\n%s\nfound %v: %s", c.a, c.b, found, f.Explanation)
				}
			}
		})
	}
}

func unasserted() []comparison {
	return []comparison{
		{a: "The importer reads CSV files", b: "Suppose the importer does not read CSV files"},
		{a: "The importer is enabled", b: "Is the importer disabled?"},
		{a: "The cache is written synchronously", b: "For example, the cache could be written asynchronously"},
		{a: "The cache is shared between tenants", b: "Alternatively, the cache is not shared between tenants"},
		{a: "The job queue is persisted", b: "A plain list would work if the job queue might not be persisted"},
		{a: "Set the `replicas` of the importer to 3", b: "Change the `replicas` of the importer to 5 and restart it"},
		{a: "image::login.png[Login, width=400]", b: "image::login.png[Login, width=800]"},
		{a: "`items[0].cpu` = 2", b: "`items[0].cpu` = 3"},
		{a: "Test coverage of the importer is 80%", b: "Test coverage of the importer is 60%", verdict: genuine},
	}
}

func denied() []comparison {
	return []comparison{
		{a: "The importer reads its files from the archive of the vendor", b: "Nothing is required of the vendor for the importer"},
		{a: "Archives can optionally be signed", b: "The packer does not sign archives"},
		{a: "All limits are set for the worker pods", b: "Limits are not set for all worker pods"},
		{a: "A worker that does not answer is restarted", b: "A worker answers health checks"},
		{a: "When the importer runs, the index is locked", b: "The importer does not lock the index of the mirror on weekends"},
		{a: "Session tokens are never logged", b: "The gateway logs session tokens", verdict: genuine},
		{a: "Archive rows are never deleted", b: "A nightly job deletes archive rows", verdict: genuine},
	}
}

func subjects() []comparison {
	return []comparison{
		{a: "PROP-12 (Add colours) is owned by team-ui", b: "PROP-15 (Add sounds) is owned by team-audio"},
		{a: "Tier 2 targets are built nightly", b: "Tier 3 targets are not built nightly"},
		{a: "The synchronous writer flushes the log", b: "The asynchronous writer flushes the log"},
		{a: "Some exporters default to 10 workers", b: "Some exporters default to 20 workers"},
		{a: "Widgets must not import from pages", b: "Pages must import their widgets lazily"},
		{a: "Audit logs are kept for 30 days", b: "Access logs are kept for 90 days"},
		{a: "On Postgres 13 the planner ignores the index", b: "The planner uses parallel scans of the index on Postgres 15"},
	}
}

func crossing() []comparison {
	apart := [2]string{"shop/cart", "lab/reader"}
	return []comparison{
		{a: "Kubernetes 1.27 is the oldest release that is supported", b: "Kubernetes: 1.30 is required", scopes: apart},
		{a: "The release is planned after 2 weeks", b: "The release is planned after 4 weeks", scopes: apart},
		{a: "The timeout of payout-api is 5 s", b: "The timeout of payout-api is 9 s", scopes: apart, verdict: genuine},
		{a: "Every service forwards the `X-Trace` header", b: "mailer-svc drops the `X-Trace` header", scopes: apart, verdict: ambiguous},
	}
}

func events() []comparison {
	return []comparison{
		{a: "2024-02-15 - Issue about the importer opened", b: "2023-03-18 - Issue about the exporter opened"},
		{a: "2024-02-15: plan of the importer added", b: "2024-03-01: review of the importer added"},
		{a: "The importer was merged on 2024-02-15", b: "The importer graduated to stable on 2024-08-01"},
		{a: "The v1 importer is removed on 2026-03-01", b: "The v1 importer is removed on 2026-06-01", verdict: genuine},
	}
}

func demanded() []comparison {
	return []comparison{
		{a: "Every change must have a changelog entry", b: "Changelog entries are not required for fixes of typos"},
		{a: "A worker must run with a lock", b: "A worker must not run without a lock"},
		{a: "Never log passwords", b: "Failed logins must be logged"},
		{a: "Feature branches must be rebased", b: "The release branch must never be rebased"},
		{a: "Fixtures must be sorted", b: "Secrets are forbidden in fixtures"},
		{a: "Every handler must wrap its errors", b: "Handlers must not wrap errors", verdict: genuine},
		{a: "Never use named exports in lib/widgets", b: "Each file in lib/widgets must have one named export", verdict: genuine},
	}
}

func exclusive() []comparison {
	return []comparison{
		{a: "All dates are stored in UTC", b: "Invoices show dates in CET"},
		{a: "The gateway speaks REST only", b: "Internal services of the mesh speak gRPC"},
		{a: "Audit events are written to Kafka", b: "Page views are only written to RabbitMQ"},
		{a: "The web client supports English and German", b: "The web client is tested in French"},
		{a: "The web client exists in English only", b: "The web client is translated to German", verdict: genuine},
		{a: "Trace logs end up in Loki and in no other store", b: "Trace logs are shipped to Elasticsearch", verdict: genuine},
		{a: "Archive calls are made with axios", b: "Archive calls are made with okhttp; axios is not even installed", verdict: ambiguous},
	}
}

func opposite() []comparison {
	return []comparison{
		{a: "INC-77 is ongoing, the error rate is at 3%", b: "INC-78 has been resolved"},
		{a: "Throttling is enabled for guests", b: "Throttling is disabled for partners"},
		{a: "INC-77 is ongoing, the error rate is at 3%", b: "INC-77 has been resolved, the cause was a full disk", verdict: genuine},
	}
}
