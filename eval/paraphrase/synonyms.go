package paraphrase

import (
	"strings"
)

// synonymGroups are words that engineers use for the same thing, written by
// hand, one group a line. Within a group each word may stand for each other.
// Inflections are made by inflect.
const synonymGroups = `
remove delete erase purge
add append insert
create make generate produce
build compile assemble
start launch begin boot
stop halt terminate quit
run execute perform
use employ utilize
allow permit
deny refuse reject forbid
need require
provide supply offer
support handle
change modify alter
update refresh revise
replace swap substitute
move shift relocate
copy duplicate clone
send transmit dispatch
receive obtain get
fetch retrieve pull
read load
write store save persist
keep retain preserve
show display present
hide conceal
check verify inspect
test probe
find locate discover
search lookup
choose select pick
compare contrast
match correspond
merge combine join
split divide separate
group bundle
wait pause
try attempt
retry repeat
fail break
fix repair correct
improve enhance
reduce decrease lower
increase raise grow
limit restrict bound
extend expand widen
enable activate
disable deactivate
configure customize
specify state define
describe explain document
propose suggest
decide determine
prefer favor
expect anticipate
ensure guarantee
avoid prevent
ignore skip
cause trigger
affect influence
return yield
call invoke
emit raise
expose publish
register enrol
connect link attach
detach unlink
open unlock
close shut
lock freeze
validate confirm
parse decode
encode serialize
convert transform translate
track follow
monitor observe watch
measure gauge
count tally
log record
report notify
schedule plan
assign allocate
release free
deploy install
upgrade bump
downgrade revert
migrate port
deprecate obsolete
introduce bring
implement realize
depend rely
contain include hold
share pool
consume eat
cache buffer
override overrule
inherit derive
mount attach
drop discard
evict expel
scale resize
delay defer postpone
complete finish conclude
continue proceed
happen occur
help assist
consider regard
error failure fault
bug defect
issue problem trouble
config setting preference
option choice
parameter argument
value amount
default fallback
field attribute
type kind
name label
list array
map dictionary
key identifier
string text
number figure
object entity
function routine procedure
method approach way
module unit
component part piece
feature capability functionality
behavior conduct
interface contract
library package
dependency prerequisite
user person
developer programmer
administrator admin operator
team crew
owner holder
client consumer caller
server backend
service daemon
process task job
thread worker
machine host computer
node member
cluster fleet
container sandbox
image picture
volume disk
memory ram
storage repository
network net
request query
response reply answer
message notification
event occurrence
state condition status
version revision
file document
directory folder
path route
directive instruction
command order
flag switch
token credential
secret password
permission right privilege
policy rule
security safety
access entry
identity account
certificate cert
performance speed
latency lag
throughput rate
overhead burden
cost expense price
capacity size
timeout deadline
interval period
result outcome
effect impact consequence
reason motive
goal aim target
benefit advantage
risk danger hazard
example sample
detail particular
difference distinction
change alteration
requirement demand necessity
limitation constraint restriction
standard norm
document doc manual
proposal suggestion
design blueprint architecture
implementation realization
discussion debate
new fresh novel
old outdated legacy
existing present
current actual
previous former prior
additional extra further
optional voluntary
required mandatory compulsory
available accessible
possible feasible
different distinct
similar alike comparable
same identical
specific particular
general generic
common usual frequent
simple easy plain
complex complicated intricate
large big huge
small tiny little
fast quick rapid
slow sluggish
early premature
late tardy
important significant crucial
necessary needed
correct right proper
wrong incorrect
invalid illegal malformed
missing absent lacking
empty blank
explicit overt
automatic automated
manual handmade
safe secure
stable steady
multiple several many
single sole individual
entire whole full
whenever once
currently presently now
already previously
immediately instantly
always constantly
often frequently
directly straight
`

// synonyms gives for each word those that may stand for it, in the order of
// the table.
func synonyms() map[string][]string {
	table := make(map[string][]string)
	for line := range strings.Lines(synonymGroups) {
		group := strings.Fields(line)
		for _, word := range group {
			for _, other := range group {
				if other != word {
					table[word] = append(table[word], other)
				}
			}
		}
	}
	return table
}
