package secret_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"engram/secret"
)

// formats are how secrets of vendors look, written from memory and not checked against their
// documents: X stands for a letter or digit, H for a hexadecimal digit, D for a digit, U for a
// UUID. The rules were not made from this list but for prefixed-token. Prefixes are split so that scanners of this repository find none.
var formats = []string{
	"TWILIO_AUTH_TOKEN=H32", "mailgun: key-|H32", "SG.|X22.X43", "HEROKU_API_KEY=U", "DD_API_KEY: H32", "AccountKey=X86==", "npm|_X36", "pypi-AgEIcHlwaS5vcmc|X90",
	"glp|at-X20", "gls|a_X32_H8", "sbp|_H40", "notion token ntn|_D11X35", "lin|_api_X40", "figma token fig|d_X40", "CLOUDFLARE_API_TOKEN=X40", "OPENAI_API_KEY=sk-proj-|X74T3BlbkFJX74",
	"sk-ant-api03-|X93AA", "hf|_X34", "GROQ_API_KEY=gsk|_X52", "REPLICATE_API_TOKEN=r8|_X37", "PINECONE_API_KEY=U", "tskey-auth-|X17-X32", "dop|_v1_H64", "shp|at_H32",
	"whsec|_X32 is the signing secret=whsec|_X32", "dp.|pt.X43", "VERCEL_TOKEN=X24", "NETLIFY_AUTH_TOKEN=nfp|_X36", "docker token=dck|r_pat_X27", "hvs|.X95", "airtable token pat|X14.H64", "PMAK-|H24-H34",
	"xapp|-1-AXXXXXXXXX-D13-H64", "https://hooks.slack.com/services/|TXXXXXXXX/BXXXXXXXX/X24", "https://discord.com/api/webhooks/|D18/X68", "D10:AA|X33", "bot token is H40", "the API key is U", "api-key: H64",
	"client_secret=U", "x-api-key: H40", "postgres://app:|X12@db.example/x", "gh|p_X36", "github_pat|_X22_X59", "AK|IAQ7ZR2LWK5XTB4VMN", "AI|zaX35", "SENDGRID webhook secret: H64", "access_token: H40",
	"https://maker.ifttt.com/trigger/build/with/key/|X43", "https://chat.example.org/hooks/|X26",
}

// secretOf fills in a format.
func secretOf(format string, random *rand.Rand) string {
	draw := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[random.IntN(len(from))]
		}
		return string(b)
	}
	const letters, hexadecimal, digits = "abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ0123456789", "0123456789abcdef", "0123456789"
	var b strings.Builder
	for i := 0; i < len(format); {
		n, used := 0, 0
		if _, err := fmt.Sscanf(format[i+1:], "%d", &n); err == nil {
			used = len(fmt.Sprint(n))
		}
		switch c := format[i]; {
		case c == '|':
		case c == 'X' && used > 0:
			b.WriteString(draw(letters, n))
		case c == 'H' && used > 0:
			b.WriteString(draw(hexadecimal, n))
		case c == 'D' && used > 0:
			b.WriteString(draw(digits, n))
		case c == 'U' && i+1 == len(format):
			b.WriteString(fmt.Sprintf("%s-%s-4%s-a%s-%s", draw(hexadecimal, 8), draw(hexadecimal, 4), draw(hexadecimal, 3), draw(hexadecimal, 3), draw(hexadecimal, 12)))
		default:
			b.WriteByte(c)
			used = 0
		}
		i += 1 + used
	}
	return b.String()
}

// TestRecallOnFormats prints which formats are found, in sentences and in settings.
func TestRecallOnFormats(t *testing.T) {
	s, random := secret.New(), rand.New(rand.NewPCG(20, 1))
	found, all := 0, 0
	for _, format := range formats {
		missed := 0
		for _, context := range []string{"%s", "CI uses %s since May.", "Set it with `%s` in the pipeline.", "- %s\n- and restart"} {
			for range 5 {
				all++
				if _, hit := s.Scan(fmt.Sprintf(context, secretOf(format, random))); hit {
					found++
				} else {
					missed++
				}
			}
		}
		if missed > 0 {
			t.Logf("missed %2d of 20: %s", missed, format)
		}
	}
	t.Logf("%d of %d found (recall %.3f), %d formats", found, all, ratio(found, all), len(formats))
	if ratio(found, all) < .9 {
		t.Error("recall is below .90")
	}
}
