package config

// Topic is what "engram help configuration" prints.
const Topic = `An option beats the environment, that beats the file .engram.yml at the top of
the work tree, and that beats the default:

  option         environment          .engram.yml    default
  --repo         ENGRAM_REPO                         the working directory
  --memory       ENGRAM_BRANCH        branch         engram
                 ENGRAM_TRUNK         trunk          origin's default branch
  --agent        ENGRAM_AGENT         agent          none
  query --limit  ENGRAM_QUERY_LIMIT   query.limit    10
  query --budget ENGRAM_QUERY_BUDGET  query.budget   4000
                 ENGRAM_MODEL         model          off
                 ENGRAM_MODELS                       a folder of the user
                 ENGRAM_TOKEN                        none; for engram serve
  audit --budget ENGRAM_DETECT_BUDGET detect.budget  30s
  --no-color     NO_COLOR                            colours on a terminal

"engram init --config" writes an .engram.yml in which everything is explained.
How much each part of a hit's score counts, which query --explain shows:

  environment                    .engram.yml             default
  ENGRAM_RANKING_RECENCY         ranking.recency         0.2
  ENGRAM_RANKING_TRUST           ranking.trust           0.15
  ENGRAM_RANKING_TYPE            ranking.type            0.1
  ENGRAM_RANKING_PROVENANCE      ranking.provenance      0.1
  ENGRAM_RANKING_CORROBORATION   ranking.corroboration   0.1
  ENGRAM_RANKING_DENSITY         ranking.density         0.05

The --agent of query and list narrows the answer and has no default.

Contradictions are found by rules, which need nothing. "engram audit" and
"engram watch" ask models beside them where one is configured; both are off by
default:

  environment                 .engram.yml          default
  ENGRAM_DETECT_NLI           detect.nli           off
  ENGRAM_DETECT_TAGGER        detect.tagger        off
  ENGRAM_DETECT_HIGH_STAKES   detect.high_stakes   no scope
  ENGRAM_DETECT_SAMPLING      detect.sampling      off; on: the MCP server
                                                   asks its client's model
  ENGRAM_LLM_URL              llm.url              none: nobody is asked
  ENGRAM_LLM_PROTOCOL         llm.protocol         openai (or anthropic)
  ENGRAM_LLM_MODEL            llm.model            none; it has to be named
  ENGRAM_LLM_KEY_ENV          llm.key_env          no key is sent
  ENGRAM_LLM_TIMEOUT          llm.timeout          30s
  ENGRAM_LLM_SESSIONS         llm.sessions         on if llm.url is on this
                                                   machine, else off

detect.nli is a cross-encoder: a name of "engram model list" or a folder. It
runs on this machine. The language model is behind the endpoint llm.url. One on
another machine counts only if ENGRAM_LLM_URL names it, because .engram.yml
comes with the repository; claims leave this machine only then. What is sent
are the texts of two claims at a time, each with its agent, scope and date,
where rules and cross-encoder leave a doubt, and of the likeliest pairs in the
scopes of detect.high_stakes. Nothing else of a fact is sent. A model that
cannot be opened is left out with a warning. The model of an MCP client is asked
about pairs that a commit left undecided, if the client offers sampling.

With llm.sessions, "engram session consolidate" and "engram watch" have the
language model read what people and agents said in sessions, not what tools
printed and nothing labelled private. For a model on another machine the
environment has to say so; .engram.yml can only switch it off.

"engram hooks install" lets git keep the memory up to date:

  environment                 .engram.yml          default
  ENGRAM_HOOKS_TIMEOUT        hooks.timeout        5s
  ENGRAM_HOOKS_PUSH           hooks.push           off; on: a push carries the
                                                   memory along

Hooks of agents keep the sessions (docs/agents.md):

  environment                 .engram.yml          default
  ENGRAM_SESSIONS_CAPTURE     sessions.capture     on

What agents exchange over the bus is bounded (docs/bus.md):

  environment                       .engram.yml                default
  ENGRAM_BUS_MAX_INLINE_TOKENS      bus.max_inline_tokens      800
  ENGRAM_BUS_MAX_ENGRAMS            bus.max_engrams            12
  ENGRAM_BUS_MAX_CLAIM_CHARS        bus.max_claim_chars        500
  ENGRAM_BUS_MAX_INLINE_CODE_CHARS  bus.max_inline_code_chars  0: by grant alone
  ENGRAM_BUS_MAX_REPO_SPANS         bus.max_repo_spans         3
  ENGRAM_BUS_MAX_ARTIFACT_SECTIONS  bus.max_artifact_sections  2
  ENGRAM_BUS_MAX_SAM_ITEMS          bus.max_sam_items          2
  ENGRAM_BUS_MAX_DEREF_TOKENS       bus.max_deref_tokens       1200
  ENGRAM_BUS_PARENTS                bus.parents                none, but people
  ENGRAM_BUS_TURN_TIME              bus.turn_time              30m

What is kept of agents' sessions (docs/sessions.md):

  environment                       .engram.yml                default
  ENGRAM_SESSIONS_CAPTURE           sessions.capture           on: agents' hooks
                                                               keep sessions
  ENGRAM_SESSIONS_ARTIFACT_ABOVE    sessions.artifact_above    4096 bytes
  ENGRAM_SESSIONS_TASK_TURNS        sessions.task_turns        30
  ENGRAM_SESSIONS_KEEP_DAYS         sessions.keep_days         for ever
  ENGRAM_SESSIONS_MAX_SIZE          sessions.max_size          no bound
  ENGRAM_SESSIONS_COLD              sessions.cold              none: bytes go

llm.key_env is the name of the environment variable with the key, never the key
itself. A key is sent only to the URL that ENGRAM_LLM_URL names: .engram.yml
comes with the repository, and must not decide who gets your key.`
