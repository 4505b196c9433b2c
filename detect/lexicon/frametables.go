package lexicon

// The tables that package frame reads beside the others. They are from general
// knowledge of technical English, not from any set of claims. Words are read with their
// endings cut (Stem).

// topics has words of near meaning, a line each. They let two claims speak of one
// thing in other words; they never make two values equal.
const topics = `
timeout timeouts deadline abort aborted cancel kill killed expire expires expiry lapse give-up patience cutoff
retain retention keep kept lifetime ttl expire expires valid validity live lives last lasts good lifespan survive stored hold
retry retries retried attempt attempts attempted try tries tried again redeliver resend reattempt
limit limits limited cap capped ceiling maximum max most quota allowance throttle throttled budget bound restrict restricted upper
minimum min least floor lower
interval every period periodic frequency cadence polling poll polls cycle fires
delay wait waits waited pause backoff postpone hold debounce
fetch fetches fetched pull pulls pulled poll read reads load loads retrieve retrieved get gets obtain download downloads import imports imported query queries
push pushes pushed send sends sent post posts deliver delivers delivered publish publishes published emit emits upload uploads transmit transmitted transfer transfers submit report reports stream forward hand
receive receives receiving goes accept accepts take takes consume consumes ingest intake
store stores stored save saves saved keep keeps kept persist persisted write writes written live lives hold holds held archive archived put sit sits land lands located place placed reside resides located file under home
delete deletes deleted remove removes removed removal drop drops dropped purge purged erase erased wipe clear clears cleared discard discarded throw evict prune
create creates created make makes generate generates generated produce produces build builds built add adds added render renders compile compiles compiled
change changes changed modify modified edit edits edited update updates updated alter adjust amend
own owns owned owner ownership belong belongs responsible responsibility maintain maintains maintained maintainer charge care manage managed job property answer answers look looks handles handled run runs operated operate operates
approve approves approved approval approvals review reviews reviewed reviewer sign-off signoff okay ok consent permission agree
allow allows allowed permit permits permitted may can could able accept accepts accepted possible free
forbid forbids forbidden ban bans banned prohibit prohibited block blocks blocked refuse refuses refused reject rejects rejected deny denied disallow barred
require requires required need needs needed must mandatory obligatory demand demands has insist
start starts started begin begins began kick kicks open opens opened launch launches initiate kick-off commence boot startup go
end ends ended stop stops stopped finish finishes finished complete completes close closes closed shut shuts over terminate
enable enabled on active activated switched turned
show shows shown display displays displayed visible present appear appears see
hide hides hidden conceal invisible
person people user users customer customers client clients member members visitor visitors player players student students pupil pupils human somebody anyone guest guests
engineer engineers developer developers dev devs programmer colleague staff employee employees team teams squad guild group crew department chapter board
machine machines server servers host hosts box boxes node nodes vm instance instances pod pods replica replicas worker workers agent agents runner runners process processes thread threads concurrency container containers deployment
database db datastore store storage
cluster fleet farm
picture pictures image images photo photos frame frames snapshot snapshots thumbnail thumbnails
message messages mail mails email emails notification notifications letter event events
file files document documents report reports record records row rows entry entries item items object objects
folder folders directory directories path dir tree
setting settings config configuration option options flag flags parameter variable property field fields value values key
address addresses url endpoint endpoints route routes link links
port ports listen listens listening bind binds bound socket reachable answer answers serve serves served exposes expose connect connects connection connections attach reach
language written implemented coded source codebase program programmed
version release releases released revision upgrade upgraded
error errors failure failures fail fails failed exception crash crashes broken
warning warn warns alert alerts alarm alarms page pages notify
test tests tested testing suite check checks checked verify verifies verified validate validated validation scan scans scanned inspection
deploy deploys deployed deployment deployments rollout release releases ship ships shipped publish
password passwords passphrase credential credentials
login log-in sign-in logon session sessions authenticate authentication
code codes token tokens otp
price prices pricing cost costs charge charges charged fee fees bill billed pay pays paid payment payout rate
tax vat
share percent percentage portion fraction proportion ratio rate
size sizes length large big small capacity volume amount
memory ram heap
speed fast rate throughput frequency
depth deep levels level
day days daily date dates
night nightly nights overnight
morning am early
evening pm
hour hours hourly
minute minutes
week weeks weekly
month months monthly
year years annual yearly
call calls called invoke invokes invoked use uses used request requests requested ask asks asked
run runs execute executes executed executing running operate works work driven powered based uses built
sync syncs synced synchronise synchronised synchronize synchronization synchronisation replicate replicated mirror
backup backups snapshot dump dumps
encrypt encrypts encrypted encryption cipher ciphered
hash hashes hashed hashing digest
sign signs signed signing signature signatures
compress compressed compression zip zipped
translate translated translation localised localized subtitles
measure measures measured measurement sample samples sampled sampling sampler reading readings record logged
sensor sensors probe probes detector meter
screen screens display panel view views page pages dialog window
shop store storefront
purchase order orders buy bought checkout
ticket tickets issue issues
merge merges merged land integrate
branch branches trunk
repository repo repositories repos
commit commits committed push
log logs logged logging logger
metric metrics monitoring statistic statistics
queue queues queued buffer buffers buffered backlog
group groups grouped batch batches chunk chunks
shard shards partition partitions split divided segments
copy copies copied duplicate duplicates replica replicas
library lib dependency dependencies package packages module modules
component components part parts piece
draw draws drawn
vote votes poll polls
seat seats place places
car cars vehicle vehicles truck trucks van
room rooms hall halls building site datacenter datacentre centre center rack racked
phone phones mobile device devices handset
light lights lamp lamps
fault outage incident incidents downtime
uptime availability sla
contract contracts agreement promised promise
law legal regulation
doctor nurse clinic hospital ward
patient patients
teacher teachers lecturer
book books booking bookings reservation reservations reserve reserved
exam exams grade grades mark marked
game games match
film video videos clip clips movie
sound audio voice music song songs track tracks
map maps tile tiles
weather forecast forecasts
money cash amount
parcel parcels shipment delivery
stock inventory
format formats formatted encoding encoded serialised serialized expressed layout
unit units degrees radians
column columns
team squad crew
guide manual handbook documentation docs
install installs installed installation setup
license licence licenses licences
boot startup start-up
frame frames fps
zoom magnification
water
train trains training trained
model models
rank ranks ranking ranked rank order
sort sorts sorted order ordered
cleanup clean purge vacuum
endpoint endpoints call calls listing list lists
use uses need needs run runs runtime built build compiled compile compiles target targets based require requires
host hosted hosting sit sits located lives site cloud
rotate rotated renew renewed renewal refresh
vat tax charge charged applied apply applies
suggest suggestion suggestions autocomplete completion typeahead
character characters letter letters digit digits
mark marked grade graded score scored rated
paper papers exam exams
attempt attempts try tries sit redelivery
page pages paging paged pagination
charging charger station stations
screen mask form forms
limit limits rate-limits rate-limited bucket
layout format order sequence
crop plant plants greenhouse
recording recordings footage clip clips
firmware image software
fix position location gps
approve approving approval approvals review reviews reviewer
protected protection merge merged pr
drop drops dropped reject loses lose lost
reading readings sample samples value
dashboard report statistics
rule rules policy policies
trim trimmed trimming strip stripped
attach attachment attachments file
undo history actions steps revert
cycle cycles round rounds run runs lap
editor edits edited write
board management committee council
resolution resolutions decision decisions vote votes
lobby room waiting
member members participant participants people attendees
open reachable accessible exposed available public
calendar schedule timetable rota shift
admit admits allow hold holds capacity fit fits accommodate
subscription subscriptions plan plans membership pass
holiday vacation leave absence
invoice invoices bill bills receipt
refund refunds chargeback reimbursement
search find lookup query index
rendering render renderer draw paint
load loads loading loaded fetch
boot start reboot restart
disk drive drives storage volume
overwritten overwrite recycled rotated purged
threshold limit trigger triggers alarm falls passes exceeds cutoff
utilisation utilization usage load use
cap curtail curtailed throttle throttles throttled restrict
fee fees commission payout pays receive receives share cut
resolution pixels size dimension dimensions
voice speech audio
crash crashes dump dumps core
abort abandons cancels halts interrupts
accumulate collect collects gather gathers aggregate
acknowledge ack acks confirm confirms confirmed
adjust tune tuned calibrate calibrated
advertise announces announce broadcast broadcasts
allocate allocated assign assigned assigns grant granted given reserved reserve provision provisioned
analyse analyze analysed evaluate evaluated examine inspect
append appended adds concatenate
application app apps program client binary executable tool
archive archived archives backup cold-storage
argument arguments parameter parameters input inputs
array list vector sequence
article articles post posts story
aspect attribute attributes property properties field fields
assemble combine join joined compose merge
attack intrusion breach
audit audits audited auditor
author writer written authored
authorise authorize grant permission permissions privilege rights access
balance balanced balancer distribute distributed spread
bandwidth throughput traffic
banner headline header
bank account accounts
base basis based built rests
basket cart carts
battery charge cell
begin originates commences
bill invoice charge
blob object objects
bootstrap initialise initialize init initial
border edge perimeter
broker queue bus messaging
browser browsers chrome
bug defect defects fault issue
build builds compile pipeline ci
bundle bundles packaged package archive
button key control
cable wire wiring
cache cached caches caching memoised
calculate calculated compute computed computes computation derive derived
camera cameras webcam
candidate candidates applicant applicants application
capture captured captures record grab
card cards badge badges
cargo freight load goods
carrier courier shipper
catalogue catalog listing
category class kind group
cell cells field
channel channels topic topics stream streams feed feeds
chapter section sections
chart graph plot diagram
check examine inspect verify audit
checksum digest hash
choose chosen pick picked select selected selection
claim claims request
class classes course courses lesson lessons
cleanup sweeper janitor gc collector collection
clear reset resets flush flushed flushes
clock timer time
clone copy fork
cloud aws gcp azure
coach trainer instructor tutor
cold cool cooling
collision impact contact
colour color shade hue
comment comments remark note annotation
company firm business organisation organization
compare compared comparison diff
compete contest tournament
complain complaint complaints
compress gzip shrink pack packed
concert show event gig performance
condition state status
confirm verify confirmation
conflict clash collision
connect joins link linked attach attached
consent agreement opt-in
consist comprises comprise contains made composed
consume reads subscribe subscribes subscriber
contact reach address person
contain contains includes holds has
content contents body text
control controller controls controlled regulate governs
convert converted converter conversion translate transform transformed
cook kitchen oven
cookie cookies session
coordinate coordinates position location
correct corrected fix fixed repair
corrupt damaged broken
counter meter tally count counts
country state region
cover covered covers
custom bespoke tailored
dashboard dashboards board boards
data dataset records
decide decides decided decision choose
decline reject turn
decode parse parsed parser decoder
decrease lower reduce reduced
default defaults fallback falls preset standard
defer delay postpone
define defined specify specified declare declared
delegate hand handed pass
deliver bring shipped arrives arrive
depart leaves departure
department unit division team
depend relies rely needs
deploy install release rolls rolled
describe document documented
design designed layout
destination target sink
detect detected detection detector recognise recognised find found
disconnect drops logout
discount rebate reduction
dispatch dispatched send route
display monitor screen shown
distribute share spread
domain host hostname
donor donation sponsor
door gate entrance lock
draft drafts unpublished
driver drivers chauffeur
duplicate dedupe deduplicate deduplicated double
duration length long time
earn income revenue
edge border gateway
elapse passes pass
element node item
embed embedded embeddings
employ hire staff
empty blank null none
encode encoder re-encoded
enrol register enroll registration registered sign-up signup
enter input typed type
equip fitted equipped
escalate page notify
estimate forecast predicted predict
evict removed expelled
exchange swap trade trading
exclude omit leave skip
execute perform performs
exercise training workout
exhibit museum gallery
exit quit terminate status code
expand grow extend
experiment trial test
fail crash error
fee charge cost
fill populate filled
filter filters filtered
finance accounting money
fire trigger triggered triggers fires run
flight flights plane aircraft
forward relay relays proxy proxied route routed
freeze lock locked
fuel gas petrol diesel
garbage waste trash
gate barrier gateway
gateway proxy edge balancer ingress
grant gives award
handle process processed processes deal deals treats
hardware device equipment
health liveness readiness alive probe probes ping
heat heating heater temperature warm
height altitude elevation
history log past
home house flat apartment
honour respects respect observe
hook callback webhook webhooks
idle inactive inactivity quiet unused
ignore disregard skip
implement written built
increase raise grow bump
index indexes indexed indices indexing
inform notify tell
inherit derives extends
insert add put
instrument instrumented tracing
insure insurance insurer
invalidate expire revoke revoked
isolate isolated separate
issue issued issues mint minted create
iterate loop step
kernel os system
label tag tags labels
lag delay behind latency
language locale translation
launch start rocket
lawyer legal counsel
learn study train
lease rent lend loan
lock locked locks mutex locking
logistics warehouse depot stock
lose loss lost
luggage baggage bag bags
maintenance upkeep repair service
match matches matched equal
meal menu dish recipe recipes
migrate migrated migration migrations move moved
mobile phone app
monitor monitored monitors watch observed observability
mount mounted attach
navigate route routing
network lan subnet vpc vlan
notice warning announcement
number figure count
occupy occupied taken
offer provides provide supply
office desk bureau
operator operators staff
optimise optimiser optimize solver
order sequence precedence priority
pack packet packets
pair pairs pairing
parallel concurrent simultaneously concurrently once
passenger passengers rider riders traveller
pay charge settle
phase stage step
pin pinned fixed
place location spot
plan schedule planned
poll survey questionnaire
pool pools pooled
portal site website
power energy electricity
precision accuracy resolution decimals
prevent stop block
print printed printer prints
priority precedence urgency
product item article
protocol api interface
provider vendor supplier
range interval span
rebuild regenerate recompute refreshed
reconnect reconnects retry
recover restore recovery restored
redirect redirects forward
reload refresh refreshes refreshed
remind reminder reminders notify
rename renamed name
reply response answer
resolve resolved resolution fix
restart reboot reboots
return gives back
ride trip journey
rollback revert reverts undo
root superuser admin
sale sales sell sells sold
scale scales scaled scaling autoscaler autoscaling hpa
schedule cron timer job jobs scheduled
schema structure migration table tables
score points rating
secret secrets credentials key keys
settle settlement payout
simulate simulation simulator
slot place window
student learner learners
support help helpdesk
switch change toggle
task job tasks jobs
tenant organisation customer
throw raise throws
tier level plan
till checkout register
trace tracing traces traced span
traffic requests load
truncate cut shorten
variant option flavour
website site page
workflow process pipeline
zone region area
rotate rotated rotation
fall falls drop drops below under
exceed exceeds above over
`

// cases has things of one class that tell two circumstances or two members apart, a
// line each: a claim about one of them says nothing about another. Words joined by an
// equals sign are one member.
const cases = `
staging=stage=preprod production=prod=live dev=development test=testing=qa sandbox preview demo
local=locally ci
free pro=professional business enterprise paid trial basic premium starter=hobby self-service
admin=admins=administrator guest=guests=anonymous=visitor member employee=staff customer=client=shopper intern contractor partner
ip user tenant=account=customer=client device
weekday=weekdays weekend=weekends holiday
morning noon=midday afternoon evening night=overnight=nightly
summer winter spring autumn
ios android windows linux macos=mac web=browser
desktop mobile=phone=smartphone tablet watch tv
read=reads=reading=reader=readers write=writes=writing=writer=writers=written
upload=uploads=uploaded download=downloads=downloaded
request=requests response=responses=reply answer=answers
header=headers body=bodies footer
incoming=inbound=ingress outgoing=outbound=egress
upstream downstream
input output
import=imports=importer=importers export=exports=exporter=exporters
source target=destination
connect=connection read idle
access refresh invitation reset=recovery id
image=images=picture=pictures=photo=photos video=videos audio document=documents avatar=avatars invoice=invoices icon=icons font=fonts
attachment=attachments body signature
unit=units integration e2e=end-to-end smoke load=stress regression=acceptance performance
primary=leader=master replica=secondary=standby=follower
frontend backend
server client
default=defaults maximum=max=most minimum=min=least average=mean=median peak
largest=biggest smallest limit
soft hard
warning=warn=warns critical error=errors alarm pages=page=paged
start=starts=begin=begins=kick-off=opens end=ends=finish=finishes=close=closes=deadline=through freeze
feature code
publish=published=announce=announced file=filed=submit=submitted
cpu memory=ram disk gpu network heap stack
metrics health admin debug profiling
release debug
feature hotfix=hotfixes bugfix
online offline
roaming wifi=wi-fi cellular
battery charger=plugged=mains
train=training=pre-training=pretraining validation inference=serving=query fine-tuning=finetuning evaluation
domestic foreign=international
long-haul short-haul
adult=adults child=children=kid=kids
inner outer
front rear
left right
upper lower
minsdk targetsdk compilesdk
raster vector
daily weekly monthly yearly
golden fixture=fixtures
internal=internally external=externally public
new old=legacy previous
cold warm hot
full partial=incremental
buyer=buyers seller=sellers
teacher=teachers student=students=pupil=pupils parent=parents
doctor=doctors nurse=nurses patient=patients
minor major patch
sender receiver=recipient
raw processed aggregated
card invoice cash
north south east west
eu us uk apac emea
sick healthy
full-time part-time half-time
mandatory name phone email
opening closing
request batch
own=owns=owned=belongs=property review=reviews=reviewed book=bookings=booking evaluate=evaluated
create=creates=created=adding=add delete=deletes=deleted=remove=removes update=updates
open=opens=opened closed=closes
connect=connects=dial listen=listens
attempt=attempts=tries minutes=hours=days=seconds
day=daytime night
above=over=exceeds below=under=beneath
text=textual image video
order=orders refund=refunds return=returns
`

// exclusives has more kinds of which a system has one in one place, like alternatives.
const exclusives = `
vector store: pgvector qdrant pinecone weaviate milvus chroma faiss
flag provider: launchdarkly unleash flagsmith split configcat openfeature growthbook flipt optimizely
update bot: dependabot renovate
workflow engine: snakemake nextflow airflow dagster prefect luigi temporal camunda cadence argo
parallelism: mpi openmp pthreads cuda
rtos: zephyr freertos threadx vxworks nuttx
radio: nb-iot lorawan lora zigbee thread wifi wi-fi bluetooth ble lte sigfox z-wave
subtitle format: ttml webvtt vtt srt
drawing tool: illustrator figma sketch inkscape
endianness: big-endian little-endian
step: fixed variable
state library: redux zustand mobx recoil jotai pinia vuex ngrx
electron shell: electron tauri
mail service: sendgrid mailgun postmark ses smtp
payment provider: stripe adyen paypal braintree klarna
log shipper: fluentbit fluentd vector logstash filebeat promtail
container engine: docker podman containerd cri-o
secret store: vault secrets-manager sops doppler 1password
tracker: jira linear github gitlab youtrack redmine asana trello
chat: slack teams mattermost discord zulip
version control: git mercurial svn subversion perforce
identity provider: okta auth0 keycloak cognito entra
hosting: vercel netlify heroku fly render
web server: nginx apache caddy iis lighttpd
runtime: node deno bun
language level: python2 python3
ui toolkit: qt gtk wxwidgets swing javafx swiftui compose
physics engine: bullet physx havok box2d jolt
game engine: unity unreal godot
image format: png jpeg jpg webp avif gif tiff svg
video codec: h264 h265 hevc av1 vp9
audio codec: mp3 aac opus flac wav vorbis
markup: markdown asciidoc restructuredtext html latex
character set: utf-8 utf-16 latin-1 ascii iso-8859-1
angle: degrees radians
temperature: celsius fahrenheit kelvin
wire format: json protobuf msgpack avro thrift cbor xml
transport: tcp udp quic
time source: ntp ptp gps
delivery: push pull polling webhook webhooks
numbering: semver calver
number type: integer string float boolean uuid
architecture: arm64 amd64 x86 x86_64 armv7 riscv
isolation: serializable repeatable-read read-committed snapshot
eviction: lru lfu fifo
strategy: optimistic pessimistic
side: client-side server-side
sort order: ascending descending alphabetical chronological
cache mode: write-through write-back write-behind
team style: kanban scrum
mocking: mockito jmock easymock sinon gomock
http library: axios fetch ky got superagent
schema tool: flyway liquibase alembic prisma atlas goose
tracing: jaeger zipkin tempo honeycomb
error tracker: sentry rollbar bugsnag raygun
cdn: cloudflare fastly akamai cloudfront bunny
dns: route53 bind coredns powerdns cloudflare
os image: ubuntu debian alpine distroless rhel rocky
type checker: mypy pyright pyre
bundler: webpack vite rollup esbuild parcel turbopack
gateway: kong apigee traefik envoy tyk
object store: s3 gcs minio azure-blob ceph
city: frankfurt dublin amsterdam london paris stockholm zurich vienna berlin munich madrid milan oslo lisbon warsaw prague tokyo singapore sydney mumbai oregon ohio virginia montreal
`

// opposites has more oppositions, the two ends of each parted by a slash.
const opposites = `
enabled on activated / disabled off deactivated
cached caching / uncached
synchronous sync blocking foreground / asynchronous async background
required mandatory / optional voluntary
public / internal private
open / closed
readable / unreadable
writable / read-only readonly immutable
nullable / non-null
encrypted / unencrypted plaintext cleartext
compressed / uncompressed
signed / unsigned
manual manually hand / automatic automatically automated
eager eagerly / lazy lazily
strict / lenient tolerant
mutable / immutable frozen
allowed permitted welcome / forbidden prohibited banned barred blocked
accepted accepts / rejected refused rejects refuses declines
included includes contains / excluded excludes omits
kept keeps survives retained / deleted removed discarded dropped lost
shown visible / hidden invisible
deterministic reproducible / nondeterministic random randomly
stateless / stateful
online / offline
permanent permanently / temporary temporarily
atomic / non-atomic
ascending / descending
big-endian / little-endian
fixed constant / variable
shared / dedicated separate
inclusive / exclusive
case-sensitive / case-insensitive
blue / green
trimmed / untrimmed
verified checked / unverified unchecked skipped
gross / net
sequential sequentially serial / parallel concurrently
static / dynamic
first / last
before / after
monolith monorepo / microservices polyrepo
hard / soft
local locally / remote remotely
continues carries / stops refuses aborts
free / paid
anonymous / authenticated
vertical / horizontal
dark / light
ephemeral / persistent persisted
single-threaded / multi-threaded
thread-safe / thread-unsafe
pinned / floating unpinned
opt-in / opt-out
`

// evolving are words that tell of a change of state.
const evolving = `now nowadays meanwhile since formerly previously previous anymore raised lowered bumped moved migrated switched replaced replaces
 upgraded downgraded increased decreased reduced doubled halved shortened extended enlarged renamed superseded postponed lifted retired withdrew withdrawn
 was were used became grew shrank went handed took changed swapped ported converted introduced joined gone cut dropped ripped ramped abandoned discontinued decommissioned
 deprecated earlier instead until originally fallen rose brought thrown kicked cleared doesn't`

// negators deny what follows or stands before them.
const negators = `not no never none nobody nothing neither nor without cannot can't don't doesn't didn't won't isn't aren't wasn't weren't hasn't haven't hadn't
 mustn't shouldn't couldn't wouldn't needn't nowhere hardly barely lacks lack lacking missing absent fails avoid avoids stop stops stopped
 skip skips skipped bypass bypasses bypassed ignore ignores ignored omit omits omitted leaves drop drops dropped exempt forbidden forbids banned prohibited refuses refused
 impossible unable instead abolished scrapped uncached unencrypted unsigned untested unverified unrestricted unprotected unauthenticated`

// excluding are words that leave no room for others.
const excluding = `only just exactly sole solely exclusively nothing nowhere alone always never all every each none single both complete any whatever no`

// admitting are words that leave room for others.
const admitting = `also too besides additionally example e.g such among like including including can may some several might sometimes usually mostly other another various optionally either plus moreover`

// framing are words that carry no statement: greetings, reports of how one knows.
const framing = `heads-up heads reminder note fyi careful btw discussed agreed noticed found looked saw walked asked asks wrote wonder wonders wondering remember know knows told tell telling
 meeting thread retro morning yesterday today week monday everybody everyone somebody whoever people because since reason why reviewing debugging afternoon
 understand surprised surprise confusing confused sum anyway actually simply really quite rather pretty please thanks turned turns came comes`

// fillers are words without a content of their own.
const fillers = `the a an this that these those its their our your my his her it we they you i he she there here who whom whose which what where when while if unless as at by for from
 in into of off on onto out over per than then through to under until up upon via with within about across after against along among around before behind below beside between beyond
 down during inside like near outside since toward is are was were be been being am has have had do does did done will would can could may might must shall should
 and or but nor so yet also too very just only even still already again once more most less least much many few some any all each every both either neither other another
 such same own not no never get gets got let lets s t re ve ll d m us them him me one ones thing things way now always often usually today currently exactly etc eg ie e.g i.e however therefore otherwise whether
 because though although however that's it's there's we're they're you'll we've they've that'll who's`

// common are words that say little of what a claim is about.
const common = `targets target latest recent planned reached created according guarded tracker use uses used using make makes made take takes took give gives given go goes went come comes set sets put puts keep keeps kept run runs work works need needs want show shows
 new old good first last next long short high low big small large whole entire full part kind type sort side case time times number value values name data system service services application app
 thing place end start day week month year hour minute second people person user users team default current start starts end ends happen happens mean means return returns read reads write writes
 send sends call calls call handle handles provide provides allow allows require requires must support supports open opens close closes leave leaves left turn turned turns look looks
 process file item object list contain contains consist consists hold holds stay stays live lives sit sits stand stands get limited limit maximum max minimum min most least total
 reach become done goes available possible different certain several lot bit little sure problem reason result change changed add added`
