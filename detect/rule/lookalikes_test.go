package rule_test

import (
	"testing"

	"engram/detect/rule"
)

// TestLookalikes has pairs of claims of one scope that resemble contradictions and
// can hold together, by what tells them apart; none is to be found.
func TestLookalikes(t *testing.T) {
	for principle, pairs := range map[string][][2]string{
		"another quantity": otherQuantities(), "one side qualified": qualified(), "another role": otherRoles(),
		"a part, a peak, an extreme": partsAndPeaks(), "the rule and its exception": exceptions(), "stages and order": timeApart(), "every rule": everyRule(),
	} {
		t.Run(principle, func(t *testing.T) {
			for _, c := range pairs {
				if f, found := rule.Compare(plain(c[0], "shop"), plain(c[1], "shop")); found {
					t.Errorf("%s\n%s\nfound: %s", c[0], c[1], f.Explanation)
				}
			}
		})
	}
}

func otherQuantities() [][2]string {
	return [][2]string{
		{"The orders topic has 24 partitions", "The orders topic is replicated three times"},
		{"The importer parses files in batches of 500 rows", "The importer commits after every 2000 rows"},
		{"A checkout session lives for 20 minutes", "The checkout service polls the bank for 5 minutes"},
		{"The search cluster runs on 6 data nodes", "The search cluster has three master nodes"},
		{"The mailer sends 40 messages per second", "The mailer accepts 200 requests per second"},
		{"The mobile app caches the catalogue for 12 hours", "The mobile app refreshes its token after 50 minutes"},
		{"The ETL job starts 8 executors", "Each executor of the ETL job has 4 cores"},
		{"The gateway waits 3 seconds for the auth service", "The gateway drains connections for 25 seconds on shutdown"},
		{"Thumbnails are 200 px wide", "Thumbnails are 150 px tall"},
		{"The wheel is built for Python 3.11", "The wheel needs pip 23.2"},
		{"The sensor gateway samples at 10 Hz", "The sensor gateway uploads its samples every 30 s"},
		{"The lock file of the editor lists 312 packages", "The editor is split into 14 packages"},
		{"The VPN certificate was issued on 2025-04-01", "The VPN certificate expires on 2026-04-01"},
		{"The kiosk firmware was signed on 3 March 2026", "The kiosk firmware is rolled out on 10 March 2026"},
		{"geo-cache evicts entries after 10 minutes", "geo-cache flushes its statistics after 60 seconds"},
		{"The parser reads 64 KB at a time", "The parser gives up on documents of 16 MB"},
		{"The invoices table has 14 columns", "The invoices table has three indexes"},
		{"A build agent has 8 cores", "A build agent runs 4 jobs"},
	}
}

func qualified() [][2]string {
	return [][2]string{
		{"Sessions last 8 hours", "Sessions last 30 minutes for guests"},
		{"The report job runs every hour", "On weekends the report job runs every 6 hours"},
		{"Uploads are limited to 50 MB", "In the mobile app uploads are limited to 10 MB"},
		{"The statement timeout is 5 s", "During migrations the statement timeout is 10 minutes"},
		{"The rate limit is 100 requests per minute", "The rate limit for the admin API is 1000 requests per minute"},
		{"The client waits 200 ms before it retries", "From the second attempt on the client waits 2 s before it retries"},
		{"The first response takes 40 ms", "After a cold start the first response takes 900 ms"},
		{"Passwords must have 12 characters", "Passwords of service accounts must have 32 characters"},
		{"The cache keeps entries for 5 minutes", "Negative lookups are kept in the cache for 30 seconds"},
		{"Consumers fetch 500 records at once", "Consumers fetch 50 records at once while they catch up"},
		{"The pool holds 20 connections", "The pool holds 20 connections, 5 of them idle"},
		{"The API gateway times out after 30 s", "For streaming routes the API gateway times out after 10 minutes"},
		{"Free accounts may create 3 projects", "Accounts with a paid plan may create 50 projects"},
		{"The exporter is enabled", "The exporter is disabled on Windows hosts with antivirus software"},
		{"The dashboard shows prices in euros", "The dashboard shows prices in dollars to customers in the US"},
		{"Builds are cached", "Builds of release branches are not cached"},
		{"The indexer runs on Java 21", "The indexer of the legacy catalogue runs on Java 17"},
		{"The notifier sends mail through Postmark", "The notifier sends mail through SES when Postmark is down"},
		{"The API returns dates in UTC", "The API returns dates in local time to partners that asked for it"},
	}
}

func otherRoles() [][2]string {
	return [][2]string{
		{"The relay listens on 7000", "The relay forwards to the broker on 9000"},
		{"HAProxy accepts TLS on 8443", "HAProxy connects to its backends on 8080"},
		{"The agent reports to the collector on port 4317", "The agent exposes its own health check on port 13133"},
		{"The Service of the catalogue listens on port 80", "The container of the catalogue binds 3000"},
		{"The module declares Go 1.21 as its language version", "CI builds the module with Go 1.23"},
		{"The plugin targets JVM 11", "The plugin is compiled with JDK 21"},
		{"The SDK supports Node 18", "The docs of the SDK are built with Node 22"},
		{"The soft memory limit of the worker is 512 MB", "The worker has a memory limit of 1 GB"},
		{"The idle timeout of the proxy is 60 s", "The proxy has a timeout of 10 s"},
		{"The retry budget is 10 percent", "The error budget is 1 percent"},
		{"Clients connect to Redis with a timeout of 2 s", "Redis closes idle connections with a timeout of 300 s"},
		{"The server pins Hibernate 6.4", "The batch importer pins Hibernate 5.6"},
		{"The scheduler stores its state in etcd", "The scheduler reads its configuration from Consul"},
		{"The crawler publishes results to Kafka", "The crawler takes its jobs from RabbitMQ"},
		{"The reader of the index is lock-free", "The writer of the index takes a lock"},
		{"The web client stores drafts in IndexedDB", "The server stores drafts in PostgreSQL"},
		{"Maps are rendered on the client", "Exports of maps are rendered on the server"},
	}
}

func partsAndPeaks() [][2]string {
	return [][2]string{
		{"The autoscaler keeps between 3 and 12 replicas", "At the peak on Friday 9 replicas were running"},
		{"The cluster has 40 nodes", "The cluster has 6 nodes with GPUs"},
		{"The quota is 500 GB", "On average 320 GB of the quota are in use"},
		{"The alert fires above 80 percent of disk usage", "Disk usage was 63 percent on Monday"},
		{"The objective of the search API is 99.9 percent", "The measured availability of the search API was 99.95 percent"},
		{"The pipeline has 22 stages, of which 4 are manual", "The pipeline has 4 manual stages"},
		{"The p99 latency of search is 400 ms", "Search has a latency of 80 ms on average"},
		{"A page holds 25 items by default", "A page holds up to 200 items"},
		{"The broker accepts messages of up to 1 MB", "The average message of the broker has 4 KB"},
		{"Losing one of the nodes is tolerated", "The store has three nodes"},
		{"The dataset has 4 million rows in total", "1 million rows of the dataset are labelled"},
		{"Daily backups are kept for 14 days", "Backups are kept for a year"},
		{"The initial heap is 2 GB", "The heap is 8 GB"},
		{"Warning threshold for lag is 30 s", "Critical threshold for lag is 120 s"},
	}
}

func exceptions() [][2]string {
	return [][2]string{
		{"Pull requests are merged by squashing", "Release branches are merged with a merge commit"},
		{"Handlers must take a context", "The health handlers need not take a context"},
		{"Comments are in English", "Comments in the legal module are in German"},
		{"Feature flags are removed after a release", "Kill switches are never removed"},
		{"Tests must not use the network", "Smoke tests use the network of the staging cluster"},
		{"Admin pages require a second factor", "Public pages do not require a login"},
		{"Deploys are frozen on Fridays", "Security fixes are deployed on any day"},
		{"The linter forbids console.log", "Scripts in tools/ may call console.log"},
		{"Tables have a surrogate key", "Join tables do not have a surrogate key"},
		{"Only maintainers may publish packages", "All contributors may publish previews of packages"},
	}
}

func timeApart() [][2]string {
	return [][2]string{
		{"The old editor is deprecated", "The documentation of the old editor is maintained"},
		{"The cache is warmed before the pod takes traffic", "The search cache is cleared after the pod takes traffic"},
		{"Schema changes are applied before the rollout", "Backfills run after the rollout"},
		{"The monolith serves orders until June", "Orders will be served by the order service"},
		{"Support for webhooks v1 was removed from the console", "Webhooks v1 are still supported for partners"},
		{"The migration to Postgres 17 is planned", "The billing database runs on Postgres 15"},
		{"The token is refreshed before it expires", "After the token expires the user signs in again"},
	}
}

// everyRule has pairs that come near to what one of the rules looks for.
func everyRule() [][2]string {
	return [][2]string{
		{"The old API is retired after the last customer has moved", "The new API is enabled before the last customer has moved"},
		{"Data is anonymised before it is exported to the lab", "Data is exported to the archive before it is anonymised"},
		{"Schema checks run before the merge", "The merge queue runs the load test before schema checks"},
		{"The alarm is sent after the third failure", "The third failure is logged after the alarm of the second"},
		{"Tokens are revoked before the account is deleted", "The account is deactivated before tokens are issued"},
		{"The coupon service is no longer used by checkout", "The coupon service is used by the loyalty app"},
		{"Flash is no longer supported in the player", "The player is supported in Flash-free browsers"},
		{"The SOAP interface is removed from the public docs", "The SOAP interface is available to two partners"},
		{"No queue is needed for thumbnails", "The video pipeline needs a queue"},
		{"The app does not depend on Firebase", "Firebase is used by the old app"},
		{"The tests do not use the clock", "The scheduler uses the clock"},
		{"The scan runs only on pull requests from forks", "The scan of dependencies runs on every commit"},
		{"Discounts apply only above 100 euros", "Every order above 20 euros has free shipping"},
		{"The cache is bypassed only if the header is set", "The cache is filled for every request"},
		{"Notifications are sent only on weekdays", "Every notification is stored"},
		{"The lock must be held while the index is written", "Never hold the lock while the network is used"},
		{"Errors must be wrapped", "Sentinel errors must not be wrapped twice"},
		{"Feature branches must be rebased before merging", "Never rebase the main branch"},
		{"Public functions must have a comment", "Comments must never repeat the code"},
		{"The editor role can publish pages", "The author role cannot publish pages"},
		{"The first stage of the build uses Alpine", "The last stage of the build uses Debian"},
		{"The warm pool has 4 machines", "The cold pool has 12 machines"},
		{"The left sensor reports every 20 ms", "The right sensor reports every 50 ms"},
		{"Reads go to replica A", "Writes go to replica B"},
		{"The upper limit of the buffer is 8 MB", "The lower limit of the buffer is 1 MB"},
		{"The driver supports CUDA 12", "The driver was tested with CUDA 11"},
		{"The GPU image is based on Ubuntu 22.04", "The build host runs Ubuntu 20.04"},
		{"The bot answers in the channel support", "The bot posts releases in the channel announcements"},
		{"Dates in the UI are shown in local time", "Dates in the database are stored in UTC"},
		{"The test database is wiped daily", "The staging database is not wiped"},
		{"The model is trained on 8 GPUs", "The model is served on 2 GPUs"},
		{"The vault is unsealed manually", "The vault of the test cluster is unsealed automatically"},
		{"The page is cached at the edge", "The page is not cached for users who are logged in"},
		{"The consumer commits offsets synchronously on shutdown", "The consumer commits offsets asynchronously"},
		{"Uploads are scanned asynchronously", "Uploads smaller than 1 MB are scanned synchronously"},
		{"Strict mode is enabled in new packages", "Strict mode is disabled in the legacy package"},
		{"The licence server listens on 27000", "The licence server sends heartbeats to port 27010 of its peer"},
	}
}

// TestSameQuantity has values of one quantity that is named in other words.
func TestSameQuantity(t *testing.T) {
	for _, c := range [][2]string{
		{"The checkout session expires after 30 minutes", "Checkout sessions live for 2 hours"},
		{"The ingest topic has 12 partitions", "There are 24 partitions in the ingest topic"},
		{"Uploads are limited to 20 MB", "The maximum upload size is 50 MB"},
		{"The sampling interval of the probe is 5 s", "The probe samples every 30 s"},
		{"The worker retries failed jobs 3 times", "Failed jobs are retried five times by the worker"},
		{"The pool size of the catalogue is 20", "The catalogue has a pool size of 50"},
		{"The search API is rate limited to 100 requests per second", "The search API allows 500 requests per second"},
		{"The rollout is planned for 2026-05-01", "The rollout is planned for 2026-06-15"},
	} {
		if _, found := rule.Compare(plain(c[0], "shop"), plain(c[1], "shop")); !found {
			t.Errorf("%s\n%s\nnot found", c[0], c[1])
		}
	}
}
