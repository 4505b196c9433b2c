# Writes terminal.svg, the picture in README.md, from a real run:
#
#	sh docs/terminal.sh > docs/terminal.svg
#
# It needs engram, git and script (util-linux) on the PATH, and works in a
# temporary folder with a configuration of its own.
set -e
HOME="$(mktemp -d)"
export HOME XDG_CONFIG_HOME="$HOME" GIT_CONFIG_NOSYSTEM=1 TERM=xterm-256color
trap 'rm -rf "$HOME"' EXIT
git config --global user.name Ada
git config --global user.email ada@example.com
git init -q -b main "$HOME/shop"
cd "$HOME/shop"
mkdir auth
printf 'package auth\n\nconst ttl = 15 * time.Minute\n' > auth/session.go
echo "port: 5432" > compose.yml
git add . && git commit -qm "the shop"
engram init --anonymous=false --anon-agents=false > "$HOME/log" 2>&1
engram commit "The payments database listens on port 6432." \
	--scope payments/db --key domain/payments/pooler --agent codex >> "$HOME/log" 2>&1

cat > "$HOME/session" <<'END'
stty cols 94
run() { printf '\033[36m$\033[0m \033[1m%s\033[0m\n' "$1"; eval "$1" 2>&1; echo; }
run 'engram commit "Sessions live 15 minutes." --scope auth --pointer auth/session.go:3'
run 'engram query "how long does a session live?"'
sed 's/15/30/' auth/session.go > new && mv new auth/session.go
printf '\033[2m# somebody changes the code: the evidence of the fact no longer matches\033[0m\n'
run 'engram query "how long does a session live?"'
printf '\033[2m# an agent writes a fact that contradicts the one of another agent\033[0m\n'
run 'engram commit "The payments database listens on port 5432." --scope payments/db --agent claude'
END

script -qec "sh $HOME/session" /dev/null | tr -d '\r' | awk '
function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }
function style(codes,    n, part, i) {
	n = split(codes, part, ";")
	if (n == 0) { colour = weight = under = "" }
	for (i = 1; i <= n; i++) {
		if (part[i] + 0 == 0 || part[i] == 39) colour = ""
		if (part[i] + 0 == 0) weight = under = ""
		if (part[i] == 1) weight = " font-weight=\"bold\""
		if (part[i] == 2) colour = " fill=\"#8b949e\""
		if (part[i] == 4) under = " text-decoration=\"underline\""
		if (part[i] == 31) colour = " fill=\"#ff7b72\""
		if (part[i] == 32) colour = " fill=\"#7ee787\""
		if (part[i] == 33) colour = " fill=\"#e3b341\""
		if (part[i] == 36) colour = " fill=\"#79c0ff\""
	}
}
{
	line = ""
	rest = $0
	while (rest != "") {
		at = match(rest, /\033\[[0-9;]*m/)
		text = at ? substr(rest, 1, at - 1) : rest
		if (text != "") line = line "<tspan" colour weight under ">" escape(text) "</tspan>"
		if (!at) break
		style(substr(rest, at + 2, RLENGTH - 3))
		rest = substr(rest, at + RLENGTH)
	}
	lines[NR] = line
	if (line != "") last = NR
}
END {
	height = last * 19 + 36
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"%d\" viewBox=\"0 0 900 %d\">\n", height, height
	printf "<title>A terminal with engram commit and engram query</title>\n"
	printf "<rect width=\"900\" height=\"%d\" rx=\"8\" fill=\"#0d1117\"/>\n", height
	printf "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace\" font-size=\"14\" fill=\"#e6edf3\">\n"
	for (i = 1; i <= last; i++)
		if (lines[i] != "") printf "<text x=\"20\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", i * 19 + 16, lines[i]
	print "</g>\n</svg>"
}'
