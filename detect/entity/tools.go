package entity

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
