package secret_test

import (
	"testing"

	"engram/secret"
)

func TestScanConnectionStrings(t *testing.T) {
	const pw = "hunter" + "2" // weak on purpose: no rule for random text finds it
	s := secret.New()
	for _, text := range []string{
		join("postgres", "://app:", pw, "@db.internal:5432/orders"),
		join("The DSN is <mysql", "://root:", pw, "@10.0.0.5/shop>."),
		join("mongodb+srv", "://svc:", pw, "@cluster0.example.net/?retryWrites=true"),
		join("redis", "://:", pw, "@cache:6379/0"),
		join("amqps", "://worker:", pw, "@mq/vhost"),
		join("git clone https", "://bot:", pw, "@git.example.org/x.git"),
		join("postgres", "://app:p@ss", pw, "@db/orders"),
		join("postgres", "://app:pa/", pw, "@db/orders"),
		join("postgres", "://app:pa%24", pw, "@db/orders"),
		join("app:", pw, "@tcp(db:3306)/orders?parseTime=true"),
		join("jdbc:oracle:thin:", "scott/", pw, "@db:1521:xe"),
		join("jdbc:postgresql", "://db/orders?user=app&pass", "word=", pw),
		join("jdbc:sqlserver", "://db:1433;databaseName=x;user=sa;pass", "word=", pw, ";"),
		join("Server=db;Database=x;User Id=sa;Pass", "word=", pw, ";Encrypt=True"),
		join("Data Source=db;Uid=sa;P", "wd=", pw),
		join("host=db user=app pass", "word=", pw, " dbname=orders"),
		join("host=db user=app pass", "word='", pw, " with spaces'"),
		join("see https", "://example.org and postgres", "://app:", pw, "@db/x"),
	} {
		if rule, found := s.Scan(text); !found || rule != secret.RuleConnectionString {
			t.Errorf("%q: Scan = %q, %v", text, rule, found)
		}
	}
}

func TestScanPassesPlaceholders(t *testing.T) {
	s := secret.New()
	for _, password := range []string{
		"password", "PASSWORD", "<password>", "${DB_PASS}", "$PASSWORD", "$(cat pw)", "{{.Pass}}", "{password}",
		"[password]", "***", "********", "xxx", "xxxxxx", "...", "%s", "%PASS%", "your-password", "my_secret",
		"YOUR_DB_PASSWORD", "changeme", "pw", "%3Cpassword%3E", "REDACTED", "app",
	} {
		for _, form := range [][2]string{
			{"postgres://app:", "@db.internal:5432/orders"},
			{"app:", "@tcp(db:3306)/orders"},
			{"Server=db;User Id=sa;Password=", ";"},
			{"host=db user=app password=", " dbname=x"},
		} {
			if form[0] != "postgres://app:" && password == "app" {
				continue // without the user beside it, a password like another
			}
			text := form[0] + password + form[1]
			if rule, found := s.Scan(text); found {
				t.Errorf("%q flagged by %s", text, rule)
			}
		}
	}
}

func TestScanPassesWhatLooksLikeConnectionStrings(t *testing.T) {
	s := secret.New()
	for _, text := range []string{
		"https://example.org:8080/@scope/package",
		"ssh://git@example.org:22/repo.git",
		"docker://alpine:3.18@sha256:" + hexes,
		"git+https://example.org/x@" + hexes[:40],
		"Set password= in the DSN, next to host= and user=.",
		"The scheme is scheme://user:password@host for any driver.",
		"Use postgres://localhost/db, then mail a:bcde@example.org.",
		"reset_password=true and host=localhost",
		"http://[::1]:8080/x?email=a@example.org",
	} {
		if rule, found := s.Scan(text); found {
			t.Errorf("%q flagged by %s", text, rule)
		}
	}
}
