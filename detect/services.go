package detect

import "strings"

// service finds a service that ends or begins at token i.
//
//  1. The auth service, the user profile service, `user` service.
//  2. Service billing, when the name looks like one.
//  3. payments-api, user-service, order-worker.
//  4. The gateway, the API gateway, the frontend.
func (p *parser) service(i int) bool {
	t := &p.toks[i]
	switch {
	case p.is(i+1, "service", "microservice", "svc") && !p.toks[i+1].code:
		return p.serviceBefore(i)
	case p.is(i-1, "service", "microservice") && p.serviceAfter(i):
		p.mention(i, i, Service, serviceName(t.text))
		return true
	case hasServiceSuffix(t.low):
		p.mention(i, i, Service, serviceName(t.text))
		return true
	case isComponent(t.low) && !p.nextPlain(i):
		if p.is(i-1, "the", "our", "this") || i == 0 || p.is(i-1, ".") {
			p.mention(i, i, Service, t.low)
			return true
		}
		if p.plain(i-1) && p.is(i-2, "the", "our") {
			p.mention(i-1, i, Service, p.toks[i-1].low+"-"+t.low)
			return true
		}
	}
	return false
}

// serviceBefore takes the word or two before "service" as its name.
func (p *parser) serviceBefore(i int) bool {
	t := &p.toks[i]
	if t.class&^(setting|label|attr) != 0 || t.kind != word || genericService(t.low) || len(t.low) < 2 || strings.ContainsAny(t.low, "./") {
		return false
	}
	if strings.HasSuffix(t.low, "ed") || strings.HasSuffix(t.low, "ing") && !t.code && !p.is(i-1, "the", "our") {
		return false
	}
	if i > 0 && p.toks[i-1].mention == "" && p.plain(i-1) && !genericService(p.toks[i-1].low) && p.is(i-2, "the", "our") {
		p.mention(i-1, i, Service, p.toks[i-1].low+"-"+t.low)
		return true
	}
	p.mention(i, i, Service, serviceName(t.text))
	return true
}

// serviceAfter reports whether the word after "service" is a name.
func (p *parser) serviceAfter(i int) bool {
	t := &p.toks[i]
	return t.kind == word && t.class == 0 && (t.code || strings.IndexByte(t.low, '-') > 0) && strings.IndexByte(t.low, '_') < 0 && !strings.ContainsAny(t.text, "./")
}

// plain reports a lower-case word without a part to play.
func (p *parser) plain(i int) bool {
	if i < 0 || i >= len(p.toks) {
		return false
	}
	t := &p.toks[i]
	return t.kind == word && t.class == 0 && !t.code && t.value == 0
}

// nextPlain reports a noun after i, which i then only describes.
func (p *parser) nextPlain(i int) bool {
	return i+1 < len(p.toks) && p.toks[i+1].kind == word && p.toks[i+1].class&(setting|label) != 0 && !p.toks[i+1].glued
}

func hasServiceSuffix(w string) bool {
	at := strings.LastIndexByte(w, '-')
	if at < 2 || strings.ContainsAny(w, "./_") {
		return false
	}
	switch w[at+1:] {
	case "service", "svc", "api", "worker", "gateway", "server", "proxy", "controller", "scheduler", "consumer", "daemon",
		"frontend", "backend", "operator", "agent":
		return !genericService(w[:at])
	}
	return false
}

// serviceName drops what only says that the name is a service's.
func serviceName(s string) string {
	s = lower(s)
	for _, suffix := range [...]string{"-service", "-svc", "_service", "service"} {
		if len(s) > len(suffix)+1 && strings.HasSuffix(s, suffix) {
			return strings.TrimRight(s[:len(s)-len(suffix)], "-_")
		}
	}
	return s
}

// isComponent reports nouns that name one component of most systems.
func isComponent(w string) bool {
	switch w {
	case "gateway", "frontend", "backend", "scheduler", "dispatcher", "ingester", "crawler", "orchestrator", "indexer":
		return true
	}
	return false
}

// genericService reports words that say what sort of service, not which.
func genericService(w string) bool {
	switch w {
	case "web", "cloud", "external", "internal", "micro", "self", "multi", "cross", "single", "public", "private", "given",
		"downstream", "upstream", "remote", "system", "managed", "headless", "kubernetes", "background", "different",
		"separate", "entire", "whole", "main", "third-party", "own", "customer", "quality", "first", "second", "rest", "http",
		"per", "non", "default", "third", "following", "target", "in", "out", "of", "specific", "local", "shared", "critical",
		"affected", "aggregated", "front", "back", "real", "client", "server", "dual-stack", "stateful", "stateless":
		return true
	}
	return false
}

// toolOf returns the usual name of a well-known technology. Names that are
// words of English too need their capital.
func toolOf(text, w string) string {
	switch w {
	case "postgres", "postgresql", "psql":
		return "postgres"
	case "kubernetes", "k8s":
		return "kubernetes"
	case "golang":
		return "go"
	case "nodejs", "node.js":
		return "node"
	case "javascript", "typescript", "python", "java", "kotlin", "mysql", "mariadb", "sqlite", "redis", "kafka", "rabbitmq",
		"mongodb", "cassandra", "dynamodb", "elasticsearch", "opensearch", "memcached", "nats", "etcd", "docker", "podman",
		"containerd", "terraform", "ansible", "helm", "istio", "envoy", "nginx", "haproxy", "traefik", "grpc", "graphql",
		"protobuf", "prometheus", "grafana", "jaeger", "opentelemetry", "sentry", "jenkins", "github", "gitlab", "bazel",
		"gradle", "maven", "npm", "pnpm", "yarn", "webpack", "vite", "django", "fastapi", "rails", "laravel", "kubectl",
		"kubeadm", "kubelet", "postgis", "clickhouse", "snowflake", "bigquery", "cockroachdb", "minio", "keycloak", "vault",
		"consul", "celery", "sidekiq", "pytest", "jest", "eslint", "openssl", "wasm", "webassembly", "tls", "oauth", "jwt", "saml", "mtls":
		return w
	case "go", "rust", "ruby", "swift", "spring", "react", "angular", "vue", "flask", "node", "express", "php", "scala", "spark",
		"airflow", "linux", "ubuntu", "debian", "alpine", "temporal", "git", "next.js", "cilium", "pulumi":
		if text[0] >= 'A' && text[0] <= 'Z' && (w != "go" && w != "express" && w != "node" && w != "spring" && w != "temporal" && w != "swift") {
			return w
		}
	}
	return ""
}
