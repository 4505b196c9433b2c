package lexicon

// The tables of words that stand for one meaning, or for its opposite, or that
// count for little. They are from general knowledge of technical English, not
// from any set of claims, and are read with the endings cut (stem).

// synonyms has one meaning a line; the first word names it.
const synonyms = `retention retain keep kept ttl lifetime expire expiry expiration expires lifespan valid validity remember
timeout time-out deadline timed-out
limit cap quota ceiling maximum max throttle restrict bound budget
minimum min floor
interval period periodically poll cadence frequency
retry retried retrying reattempt retries attempt
replica copies instance
database db datastore databases
configuration config configure configurable setting settings
directory folder dir
delete erase remove removal wipe purge prune
authentication authenticate auth authenticated login log-in sign-in
authorization authorize authorise authorisation authorized
repository repo repositories
production prod
development dev
documentation docs doc documented
environment env
kubernetes k8s
postgres postgresql psql pg
javascript js
java jdk
typescript ts
golang go
rust rustc
python python3 py
mongodb mongo
elasticsearch elastic
message event messages
metric metrics
certificate cert certs
password passwd credential
parameter param argument
memory ram
cpu processor
user users account
email e-mail mail
pr pull-request prs
specification spec
library lib libs
command cmd cli
administrator admin
owner own ownership belong belongs owned maintain maintainer maintained
write written implement implementation implemented
store storage stored persist save saved
host hosted hosting deploy deployed
licence license licensed licenced
locate location located
encrypt encryption encrypted
compress compression compressed gzipped gzip
sign signature signed signing
format encode encoding serialize serialise serialization serialisation
large big large-scale larger bigger
colour color
initialise initialize init
optimise optimize
serialise serialize
request req
second sec
region zone
version release
size length
worker workers
identifier id ids
violate violated violation broken breach
transaction txn tx
microservice service svc
http https
test tests testing spec
endpoint route url
backup backups
run execute execution executed runs
send deliver delivery sent emit
start begin launch starts
end finish complete stop
create make generate generated generation
fetch retrieve load read
timezone time-zone
print prints printed output
timestamp epoch
branch branches
indent indentation indented
weekly week
daily day nightly
monthly month
hourly hour
`

// oppositions has the two ends of one a line, parted by a slash.
const oppositions = `enabled enable active activated turned-on switched-on / disabled disable inactive deactivated turned-off switched-off
required mandatory obligatory compulsory require needed must-have / optional optionally voluntary
supported supports support / unsupported
allowed allow allows permitted permit admitted accepted accept accepts / forbidden forbid prohibited prohibit disallowed denied deny rejected reject rejects refused banned blocked block
synchronous synchronously sync / asynchronous asynchronously async non-blocking
ascending asc / descending desc
public publicly / private privately
mutable modifiable / immutable
manual manually hand / automatic automatically automated
include included includes / exclude excluded excludes omitted omit
inclusive / exclusive
encrypted / plaintext unencrypted
stateful / stateless
valid / invalid
available / unavailable
eager eagerly / lazy lazily
strict / lenient
safe / unsafe
secure / insecure
optimistic / pessimistic
online / offline
permanent permanently / temporary temporarily
atomic atomically / non-atomic
consistent consistently / inconsistent inconsistently
compatible / incompatible
symmetric / asymmetric
deterministic / nondeterministic non-deterministic
reversible / irreversible
accessible / inaccessible
cyclic / acyclic
`

// directions are oppositions that as often tell two things of one kind apart as
// they deny what another claim says.
const directions = `before / after
internal / external
static statically / dynamic dynamically
present / absent missing
upper higher above / lower below
increase increased increases / decrease decreased decreases
open opened / closed close shut
local locally / remote remotely
shared / dedicated
first / last
starts start begins begin / ends end finishes
horizontal horizontally / vertical vertically
parallel concurrently concurrent / sequential sequentially serial serially
server server-side / client client-side
inbound incoming ingress / outbound outgoing egress
incremental incrementally / full
sensitive / insensitive
signed / unsigned
hidden / visible
succeeds pass passes succeed / fails fail
light / dark
left / right
top / bottom
empty / non-empty
clean / dirty
older earlier / newer later
singular / plural
uppercase / lowercase
ongoing pending unresolved unfinished incomplete / resolved merged fixed completed complete
limited / unlimited unbounded infinite
`

// weakWords are general verbs and nouns: sharing them says little about whether
// two claims are about one thing, and lacking them as little.
const weakWords = `
feature service system endpoint library module microservice job task step application app software component thing item object data value default current currently number total
use used using usage uses user apply applied applies work works take takes took give gives gave get gets got put puts go goes went come comes
make makes made do done set sets run runs ran serve serves handle handles provide provides return returns allow allows
happen happens hold holds keep keeps have has need needs want wants let lets mean means show shows see become call called
send sends receive receives pass passes accept accepts listen listens bind binds bound drop drops close closes open opens
kill killed cancel cancelled cancels abort aborts give-up wait waits stay stays remain remains stand stands sit sits live lives
start starts stop stops begin begins end ends finish finished contain contains
way case part kind type sort side place time amount size long large small big high low max min maximum minimum
larger smaller longer shorter greater bigger good bad fast slow simple whole entire own other same different single each per via through within without up down out off on
about only just even still also always never every all any both either some most more less least than then now
exactly roughly around approximately nearly almost currently usually today effective resulting least explicit explicitly
after before during while until since once because so thus therefore however otherwise
can may might could should must shall will would be been being is are was were am
one two three four five six seven eight nine ten twice thrice second minute hour day week month year
byte kilobyte megabyte gigabyte percent times seconds minutes hours days
ms s min h d kb mb gb kib mib gib
planned plan scheduled port project team company code codebase everything everywhere everyone somebody someone something nothing
inside outside throughout besides despite whatever again back anything them him themselves itself yourself
new old existing several many few such certain various general generally
`

// quantityWords name what is measured.
const quantityWords = `
timeout limit size retention interval delay latency ttl window period deadline threshold quota rate throughput capacity
minimum maximum length duration depth width height concurrency price cost count budget memory cpu disk coverage
worker retry attempt replica shard partition uptime availability cooldown backoff jitter age
percentile median p50 p90 p95 p99 average mean
`

// singleWords name what has one value at a time.
const singleWords = `
region format level mode strategy policy algorithm encoding language database licence license owner branch timezone protocol engine
framework backend broker provider platform registry scheduler runtime compiler linter formatter method scheme model
name prefix suffix path directory file location status stage priority encoding standard host role theme style convention
`

// openWords leave room for others beside what they speak of.
const openWords = `
support supports supported compatible can may might could also either or including includes include
depend depends dependency import imports contain contains
optionally alternatively besides additionally sometimes often various mostly other another
`

// universalWords speak of all there are.
const universalWords = `all every each everywhere everything nothing nobody everyone whatever regardless both`

// changingWords tell that something is not as it was.
const changingWords = `
now raised lowered bumped changed moved migrated switched replaced upgraded downgraded increased decreased reduced
doubled halved shortened formerly previously anymore longer lifted postponed renamed rewritten superseded meanwhile cut passed
`

// contrastWords tell things of one kind apart: where one claim has one of them
// and the other has not, they may speak of two things.
const contrastWords = `
read write connect connection idle request response client server http https grpc tcp udp metrics admin debug health soft hard
upload download input output source target host container primary secondary replica leader follower access refresh session
min max minimum maximum first last median average mean p50 p90 p95 p99 peak
unit integration e2e end-to-end smoke load staging production dev local nightly
public private internal external inbound outbound ingress egress
cpu memory disk gpu heap stack
daily weekly monthly yearly hourly
burst sustained initial final warm cold hot
major minor patch parent child global local default custom
old new legacy
training train inference evaluation validation each whole overall
alpha beta stable free pro enterprise anonymous mobile desktop ios android linux windows macos
`

// relationWords tie a subject to one thing.
const relationWords = `
store stored persist saved written implemented coded runs run hosted deployed owned maintained belongs licensed based built
signed hashed encrypted located lives kept backed powered uses use using is are default served rendered managed scheduled
orchestrated generated formatted published reads read installed compiled
write writes defaults set named called start end starts ends prefixed suffixed begin
`

// dismissingWords say of something that it is not there, or not accepted.
const dismissingWords = `ignored gone closed refused refuses rejected rejects retired dropped drops unused bypasses skipped 404 disappeared archived`

// orderingWords say what comes first.
const orderingWords = `before ahead precedes precede after once first then`

// livingWords and goneWords are stages of life.
const (
	livingWords = `current default supported recommended active maintained preferred operational`
	goneWords   = `end-of-life eol deprecated removed retired decommissioned sunset obsolete abandoned discontinued unmaintained archived`
)
