package rule_test

import (
	"testing"

	"engram/detect/finding"
	"engram/detect/rule"
)

// TestPlainSentences has short sentences as people write them first, by what
// they are to show, and look-alikes that are compatible.
func TestPlainSentences(t *testing.T) {
	for name, list := range map[string][]comparison{
		"stages": plainStages(), "members": members(), "defaults": defaults(), "one of several": oneOfSeveral(), "past values": pastValues(),
		"not used": unusedThings(), "privatives": privatives(), "classes": classes(), "numbered order": numberedOrder(),
		"instructed": instructed(), "nouns and numbers": nounsAndNumbers(),
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range list {
				a, b := c.claims()
				if f, found := rule.Compare(a, b); found != (c.verdict != nothing) || found && f.Verdict != c.verdict {
					t.Errorf("%s\n%s\n%q, %q; want %q", c.a, c.b, f.Verdict, f.Explanation, c.verdict)
				}
			}
		})
	}
}

func plainStages() []comparison {
	return []comparison{
		{a: "Feature X was deprecated in Q1.", b: "Feature X is current.", verdict: genuine},
		{a: "X was deprecated in Q1.", b: "X is current.", verdict: genuine},
		{a: "The CSV export was removed in March.", b: "The CSV export is still supported.", verdict: genuine},
		{a: "The v1 API has reached end of life.", b: "The v1 API is the default.", verdict: genuine},
		{a: "The legacy dashboard is sunset.", b: "The legacy dashboard is recommended.", verdict: genuine},
		{a: "The v1 API is deprecated.", b: "The v2 API is current."},
		{a: "The CSV export was removed from the mobile app.", b: "The CSV export of reports is supported."},
		{a: "The importer is deprecated for new projects.", b: "The importer is supported for old projects."},
		{a: "The importer is deprecated.", b: "The importer is supported until 2027."},
		{a: "The v1 API was removed.", b: "The v1 API docs are current."},
		{a: "The old importer was removed.", b: "The importer is supported."},
		{a: "Python 2 is deprecated.", b: "Python 3 is recommended."},
		{a: "The old importer was removed.", b: "The new importer is recommended."},
		{a: "The default theme was removed.", b: "The dark theme is the default."},
	}
}

func members() []comparison {
	apart := [2]string{"payments", "infra/database"}
	return []comparison{
		{a: "The payments service uses PostgreSQL 15.", b: "All services use MySQL 8.", scopes: apart, verdict: genuine},
		{a: "The payments service stores its data in PostgreSQL 15.", b: "All services run on MySQL 8.", scopes: apart, verdict: genuine},
		{a: "The payments service stores its data in PostgreSQL.", b: "Every service uses MySQL.", verdict: genuine},
		{a: "Each team deploys with Jenkins.", b: "The search team deploys with Buildkite.", verdict: genuine},
		{a: "No service uses MySQL.", b: "The payments service uses MySQL.", scopes: apart, verdict: genuine},
		{a: "The payments service runs on Java.", b: "All services run on Linux.", scopes: apart},
		{a: "The payments service runs on Alpine.", b: "All services run on Linux.", scopes: apart},
		{a: "The payments service uses PostgreSQL.", b: "All services except payments use MySQL."},
		{a: "The payments service uses PostgreSQL.", b: "Almost all services use MySQL."},
		{a: "The payments service uses PostgreSQL.", b: "All legacy services use MySQL."},
		{a: "The payments service uses Kafka for events.", b: "All services use Redis for caching."},
		{a: "The web service has a frontend in TypeScript.", b: "All services are written in Go."},
		{a: "The payments team uses PostgreSQL.", b: "All services use MySQL."},
		{a: "The payments service uses PostgreSQL and MySQL.", b: "All services use MySQL."},
	}
}

func defaults() []comparison {
	return []comparison{
		{a: "By default the log level is info.", b: "The log level is debug with the flag set."},
		{a: "The pool size is 10.", b: "The pool size is 50 with HIGH_LOAD set."},
		{a: "The pool size is 10 by default.", b: "The pool size is 50 in debug mode."},
		{a: "The pool size is 10 with HIGH_LOAD set.", b: "The pool size is 50 with HIGH_LOAD set.", verdict: genuine},
		{a: "By default the log level is info.", b: "The default log level is debug.", verdict: genuine},
	}
}

func oneOfSeveral() []comparison {
	return []comparison{
		{a: "The gateway listens on 8443 and 9443.", b: "The gateway listens on 8443."},
		{a: "The upload limit is 10240 KB.", b: "The upload limit is 25 MB for API v2 and 10 MB otherwise."},
		{a: "The timeout is 30 seconds for reads and 60 seconds for writes.", b: "The timeout is 60 seconds."},
		{a: "The gateway listens on 8443 and 9443.", b: "The gateway listens on 7443.", verdict: genuine},
		{a: "The upload limit is 20 MB.", b: "The upload limit is 25 MB.", verdict: genuine},
	}
}

func pastValues() []comparison {
	return []comparison{
		{a: "The timeout was raised from 30 to 60 seconds.", b: "The timeout is 90 seconds.", verdict: genuine},
		{a: "The timeout was raised from 30 to 60 seconds.", b: "The timeout is 30 seconds.", verdict: evolution},
		{a: "The timeout was raised to 60 seconds.", b: "The timeout is 30 seconds.", verdict: evolution},
		{a: "The billing service moved from MySQL to PostgreSQL.", b: "The billing service uses MySQL.", verdict: evolution},
		{a: "The timeout is no longer 30 seconds.", b: "The timeout is 30 seconds.", verdict: evolution},
		{a: "The timeout was raised from 30 to 60 seconds.", b: "The timeout is 60 seconds."},
	}
}

func unusedThings() []comparison {
	return []comparison{
		{a: "Redis is not used.", b: "We use Redis for sessions.", verdict: genuine},
		{a: "We do not use Kafka.", b: "Kafka is used for audit events.", verdict: genuine},
		{a: "The billing service does not use Redis.", b: "Redis is used by the billing service.", verdict: genuine},
		{a: "The billing service does not use Redis.", b: "The billing service uses Redis for sessions.", verdict: genuine},
		{a: "Redis is not used for sessions.", b: "We use Redis for caching."},
		{a: "Redis is not used in production.", b: "We use Redis in development."},
		{a: "The billing service does not use Redis.", b: "Redis is used by the search service."},
		{a: "The billing service does not use Redis.", b: "We use Redis for sessions."},
		{a: "Redis is not used.", b: "We evaluated Redis for sessions."},
	}
}

func privatives() []comparison {
	return []comparison{
		{a: "The endpoint is protected.", b: "The endpoint is unprotected.", verdict: genuine},
		{a: "The backup volume is encrypted.", b: "The backup volume is unencrypted.", verdict: genuine},
		{a: "The charge call is idempotent.", b: "The charge call is non-idempotent.", verdict: genuine},
		{a: "The charge handler is blocking.", b: "The charge handler is non-blocking.", verdict: genuine},
		{a: "The replicas are consistent.", b: "The replicas are inconsistent.", verdict: genuine},
		{a: "The login endpoint is protected.", b: "The health endpoint is unprotected."},
		{a: "The unprotected endpoints are listed.", b: "The protected endpoints are listed."},
		{a: "The worker locks the row.", b: "The worker unlocks the row."},
		{a: "The endpoint is protected.", b: "The endpoint is unprotected in development."},
		{a: "The endpoint is protected by a token.", b: "The port is unprotected."},
	}
}

func classes() []comparison {
	return []comparison{
		{a: "Events are delivered at least once.", b: "Events are delivered exactly once.", verdict: genuine},
		{a: "All timestamps are stored in UTC.", b: "Timestamps are stored in local time.", verdict: genuine},
		{a: "Deploys happen on Tuesday.", b: "Deploys happen on Thursday.", verdict: genuine},
		{a: "Backups run daily at 02:00 UTC.", b: "Backups run weekly on Sunday.", verdict: genuine},
		{a: "The sidebar is on the left.", b: "The sidebar is on the right.", verdict: genuine},
		{a: "The export is written as JSON.", b: "The export is written as YAML.", verdict: genuine},
		{a: "Backups run every day.", b: "Backups run weekly.", verdict: genuine},
		{a: "Events are delivered at least once.", b: "Invoices are delivered exactly once."},
		{a: "The job runs at least once a day.", b: "The job runs at most once an hour."},
		{a: "Deploys happen on Tuesday.", b: "Deploys of the docs happen on Thursday and Tuesday."},
		{a: "Full backups run weekly.", b: "Incremental backups run daily."},
		{a: "Backups run nightly.", b: "Backups run daily."},
		{a: "Timestamps are stored in UTC.", b: "Timestamps are shown in local time."},
		{a: "The API returns JSON.", b: "The config is written in YAML."},
	}
}

func numberedOrder() []comparison {
	return []comparison{
		{a: "Migration 42 runs before 41.", b: "Migration 41 runs before 42.", verdict: genuine},
		{a: "Migration 42 runs before migration 41.", b: "Migration 41 runs before migration 42.", verdict: genuine},
		{a: "Migration 42 runs before 41.", b: "Migration 41 runs after 42."},
		{a: "Migration 41 runs before 42.", b: "Migration 42 runs before 43."},
		{a: "Step 41 runs before 42.", b: "Migration 42 runs before 41."},
	}
}

func instructed() []comparison {
	return []comparison{
		{a: "Never log PII.", b: "Log PII at debug level.", verdict: genuine},
		{a: "Do not commit lock files.", b: "Commit lock files with the code.", verdict: genuine},
		{a: "Never log PII.", b: "Log errors at debug level."},
		{a: "Never log PII.", b: "Mask PII at debug level."},
		{a: "Never log PII at info level.", b: "Log PII at debug level."},
	}
}

func nounsAndNumbers() []comparison {
	return []comparison{
		{a: "PRs need two approvals.", b: "A pull request needs one approval.", verdict: genuine},
		{a: "The pool has 20 connections.", b: "The pool has 10.", verdict: genuine},
		{a: "The pool has 20 connections.", b: "The cluster has 10."},
		{a: "The pool has 20 connections.", b: "The pool has 10 workers."},
		{a: "PRs need two approvals.", b: "A pull request needs at least one approval."},
		{a: "PRs need two approvals.", b: "One of the approvals of a pull request must be by an owner."},
		{a: "The pool has 20 connections.", b: "The pool of the mirror has 10."},
		{a: "PRs need two approvals.", b: "A pull request needs one label."},
	}
}

// TestPlainTiers has the tiers that the documentation names for such sentences.
func TestPlainTiers(t *testing.T) {
	for _, c := range []struct {
		comparison
		want finding.Tier
	}{
		{plainStages()[0], finding.TierTemporal},
		{plainStages()[4], finding.TierTemporal},
		{members()[0], finding.TierCrossScope},
		{members()[1], finding.TierCrossScope},
		{numberedOrder()[0], finding.TierTemporal},
	} {
		a, b := c.claims()
		if f, _ := rule.Compare(a, b); f.Tier != c.want {
			t.Errorf("%s | %s: %s, want %s", c.a, c.b, f.Tier, c.want)
		}
	}
}
