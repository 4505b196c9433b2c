package lexicon

import (
	"math/bits"
	"strings"
	"sync"
)

// KindName returns the name of a kind of alternatives.
func KindName(kind uint64) string {
	switch kind {
	case PathKind:
		return "path"
	case TeamKind:
		return "team"
	}
	at := bits.TrailingZeros64(kind)
	for line := range strings.Lines(alternatives) {
		if at--; at < 0 {
			name, _, _ := strings.Cut(line, ":")
			return name
		}
	}
	return ""
}

// alternatives has one kind a line, its name first: things of which a system
// has one in one place, so that two of a kind in that place exclude each other.
// From general knowledge, like the other tables; a name may be of several kinds.
const alternatives = `database: postgres mysql mariadb sqlite mongodb cassandra dynamodb cockroachdb oracle couchdb scylladb spanner aurora firestore neo4j tidb clickhouse snowflake bigquery redshift duckdb mssql dolt influxdb timescaledb
cache: redis memcached hazelcast valkey varnish
queue: kafka rabbitmq nats sqs pulsar activemq zeromq kinesis celery sidekiq redis pubsub
language: go rust python java kotlin typescript javascript ruby scala elixir php swift haskell clojure erlang perl c++ c# dart lua
cloud: aws gcp azure digitalocean heroku hetzner on-premises on-prem
orchestrator: kubernetes nomad swarm ecs mesos fargate
licence: mit apache apache-2.0 gpl gpl-2.0 gpl-3.0 lgpl lgpl-3.0 agpl agpl-3.0 mpl mpl-2.0 bsd bsd-2-clause bsd-3-clause isc unlicense proprietary
format: text json yaml toml xml protobuf avro msgpack csv parquet thrift cbor ini
api: rest grpc graphql soap websocket websockets
proxy: nginx envoy haproxy traefik caddy httpd
ci: jenkins github gitlab circleci travis buildkite teamcity drone
hash: sha-1 sha1 sha-256 sha256 sha-512 sha512 md5 blake2 blake3 crc32 xxhash
password: bcrypt argon2 argon2id scrypt pbkdf2
signature: rsa ed25519 ecdsa hs256 rs256 es256 hmac
compression: gzip zstd brotli lz4 snappy deflate
system: linux windows macos freebsd
distribution: ubuntu debian alpine fedora centos rhel windows macos freebsd
packager: npm yarn pnpm bun pip poetry uv conda flit hatch cargo
build: maven gradle bazel cmake ninja webpack vite esbuild rollup turbopack parcel
test: pytest unittest jest mocha vitest junit playwright cypress selenium testng
frontend: react vue angular svelte solid preact flutter swiftui uikit jquery
framework: django flask fastapi rails express spring laravel nestjs gin actix axum
search: opensearch elasticsearch solr meilisearch typesense lucene
monitoring: prometheus datadog newrelic cloudwatch graphite zabbix nagios
level: debug info warn warning error trace fatal
http client: reqwest hyper axios httpx okhttp urllib3 aiohttp
form library: react-hook-form formik final-form
styling: css-modules styled-components tailwind emotion sass less scss
component test: enzyme react-testing-library
token: jwt saml kerberos ldap mtls opaque oauth cookie cookies
weekday: monday tuesday wednesday thursday friday saturday sunday
ids: integer uuid ulid snowflake uuidv4 uuidv7 auto-increment
branch: main master trunk
naming: snake_case camelcase kebab-case pascalcase
indent: tabs spaces
provisioning: terraform pulumi cloudformation ansible puppet chef
linter: eslint biome ruff pylint flake8 golangci-lint
formatter: prettier black ruff biome gofmt rustfmt yapf
documentation tool: sphinx mkdocs docusaurus hugo jekyll antora mkdocs-material
log store: loki elasticsearch opensearch splunk graylog
scheduler: airflow dagster prefect luigi cron
delivery: at-least-once at-most-once exactly-once
rollout: blue-green canary rolling recreate
repo: monorepo polyrepo
joining: squash rebase merge-commit
order: alphabetical chronological random
balance: robin round-robin least_conn least-connections
storage: s3 gcs minio nfs ceph
consistency: eventual strong
mesh: istio linkerd
desktop: electron tauri
orm: hibernate sqlalchemy prisma typeorm gorm drizzle
unit of time: seconds milliseconds microseconds nanoseconds minutes hours second millisecond minute
unit of money: cents euros dollars cent euro dollar
unit of weight: grams kilograms gram kilogram
unit of size: bytes kilobytes megabytes kibibytes
unit of length: pixels px rem em metres meters kilometres kilometers miles feet
frequency: hourly daily nightly weekly monthly quarterly yearly fortnightly
number type: integer float decimal string boolean double bigint
time zone: local-time utc gmt cet pst est
locale: english german french spanish japanese
state: redux mobx zustand recoil
`

// describing has, for kinds of alternatives, the words that people call one of the kind by: who
// asks for "the broker" may mean Kafka.
const describing = `database: storage engine relational datastore store persistence rdbms sql nosql db table tables
cache: caching in-memory key-value keyvalue memory
queue: broker messaging message stream streaming bus topic pubsub
language: programming runtime compiler
cloud: hosting provider infrastructure vendor
orchestrator: container containers orchestration cluster
licence: licensing license copyright legal
format: serialization serialisation encoding file interchange
api: interface protocol rpc transport endpoint microservices
proxy: edge gateway ingress balancer load-balancer webserver
ci: pipeline continuous integration build runner
hash: digest checksum fingerprint
password: credential credentials hashing passphrase
signature: signing sign key algorithm
compression: compress archive codec
system: operating platform os
distribution: distro image base linux
packager: package manager dependency dependencies lockfile
build: compile compilation bundler bundling bundle
test: testing runner automation browser end-to-end e2e suite
frontend: ui widget interface client web view
framework: backend web server application
search: full-text fulltext engine indexing
monitoring: observability metrics alerting dashboards telemetry
level: severity verbosity logging
styling: css stylesheet design
token: identity authentication login session authorization
ids: identifier identifiers key keys
branch: default trunk
naming: case convention spelling
indent: indentation whitespace formatting
provisioning: infrastructure iac provision machines
linter: lint static analysis style
formatter: formatting style
documentation tool: docs documentation site
log store: logs logging aggregation
scheduler: workflow scheduling jobs batch
delivery: guarantee semantics
rollout: deployment deployments release releases
repo: repository repositories
joining: merge merging commits
storage: blob object files bucket
consistency: guarantee isolation
mesh: sidecar traffic
desktop: shell native
orm: mapper mapping queries
time zone: clock timezone
state: store management
`

var describers = sync.OnceValue(func() map[string]uint64 {
	kinds, bit := make(map[string]uint64), uint64(1)
	for line := range strings.Lines(alternatives) {
		name, _, _ := strings.Cut(line, ":")
		kinds[name] |= bit
		bit <<= 1
	}
	words := make(map[string]uint64)
	for name, kind := range kinds {
		for w := range strings.FieldsSeq(name) {
			words[stem(w)] |= kind
		}
	}
	for line := range strings.Lines(describing) {
		name, list, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(list) {
			words[stem(w)] |= kinds[name]
		}
	}
	return words
})

// Describes returns the kinds of alternatives, a bit each, that people call by a word in lower case.
func Describes(w string) uint64 { return describers()[stem(w)] }

// Kinds without a list of names; the table has fewer than 62.
const (
	PathKind = uint64(1) << 63
	TeamKind = uint64(1) << 62
)
