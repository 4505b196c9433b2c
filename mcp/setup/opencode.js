// Made by `engram setup opencode`, which replaces this file.
// It gives the agent what the team's memory knows, and keeps sessions in the repository.
// Where engram is missing, or the repository has no memory, it does nothing.
import { spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const keep = true
const patience = 5_000 // milliseconds, at most, for one run of engram
const share = 30 // of the time, at most one part of so many is for copies of a session that is at work

// asFile returns an open file that holds a text and has no name: a program can read it although
// OpenCode may end meanwhile.
let files = 0
const asFile = (text) => {
  const path = join(tmpdir(), `engram-${process.pid}-${Date.now()}-${files++}`)
  writeFileSync(path, text, { mode: 0o600, flag: "wx" })
  const file = openSync(path, "r")
  unlinkSync(path)
  return file
}

// run starts a program, and returns what it prints; "" if it fails. The program goes on when
// OpenCode ends.
const run = (cwd, program, args, input = "") =>
  new Promise((done) => {
    const file = asFile(input)
    const child = spawn(program, args, { cwd, stdio: [file, "pipe", "ignore"], detached: true, timeout: patience })
    closeSync(file)
    let text = ""
    child.on("error", () => done(""))
    child.on("close", (code) => done(code === 0 ? text : ""))
    child.stdout.on("data", (part) => (text += part))
    child.unref()
  })

const alive = (pid) => {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === "EPERM"
  }
}

export const Engram = async ({ client, directory }) => {
  const hook = (event, fields) =>
    run(directory, "engram", ["hook", event, "--client", "opencode", ...(keep ? [] : ["--no-sessions"])], JSON.stringify({ cwd: directory, ...fields }))

  // folder is where copies are put for engram, which removes them; "" without a memory.
  let common
  const folder = async () => {
    common ??= run(directory, "git", ["rev-parse", "--path-format=absolute", "--git-common-dir"])
    const engram = join((await common).trim() || "/nowhere", "engram")
    if (!keep || !existsSync(engram)) return ""
    const dir = join(engram, "sessions", "opencode")
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    return dir
  }

  // root is the session that the user talks to: sub-agents have sessions of their own.
  const roots = new Map()
  const root = async (id) => {
    if (!roots.has(id)) roots.set(id, (await client.session.get({ path: { id } })).data?.parentID ?? id)
    return roots.get(id)
  }

  // copy writes a session down as `opencode export` does, and returns the file.
  const rests = new Map() // until when, by session
  const copy = async (id) => {
    const dir = await folder()
    if (!dir) return undefined
    const began = Date.now()
    const [info, messages] = await Promise.all([client.session.get({ path: { id } }), client.session.messages({ path: { id } })])
    if (!info.data || !messages.data) return undefined
    const file = join(dir, id + ".json")
    writeFileSync(file + ".new", JSON.stringify({ info: info.data, messages: messages.data }, null, 2), { mode: 0o600 })
    renameSync(file + ".new", file)
    rests.set(id, Date.now() + share * (Date.now() - began))
    return file
  }

  // tell runs the hook of an event of a session, one after the other.
  let last = Promise.resolve("")
  const tell = (event, id, withCopy, fields) =>
    (last = last.then(async () => hook(event, { session_id: await root(id), transcript_path: withCopy ? await copy(id) : undefined, ...fields })).catch(() => ""))

  // A mark with the number of the process stands while an agent is at work. One of a process that
  // is gone was left by a killed OpenCode.
  const mark = async (id, stands) => {
    const dir = await folder()
    if (!dir) return
    if (stands) writeFileSync(join(dir, id + ".open"), String(process.pid))
    else rmSync(join(dir, id + ".open"), { force: true })
  }
  const takeUp = async () => {
    const dir = await folder()
    if (!dir) return
    for (const name of readdirSync(dir).filter((name) => name.endsWith(".open"))) {
      const id = name.slice(0, -".open".length)
      if (alive(Number(readFileSync(join(dir, name), "utf8")))) continue
      const file = await copy(id) // if this fails, the mark stays for the next time
      if (file) await hook("end", { session_id: await root(id), transcript_path: file })
      await mark(id, false)
    }
  }

  // What the agent is told stands in the system prompt, which no compaction takes away.
  const told = new Map() // a promise of the text, by session
  const begin = async (id) => {
    if ((await root(id)) !== id) return ""
    const messages = (await client.session.messages({ path: { id } })).data ?? []
    return tell("session-start", id, false, { source: messages.length > 0 ? "resume" : "startup" })
  }
  const text = (id) => {
    if (!told.has(id)) told.set(id, begin(id).catch(() => ""))
    return told.get(id)
  }

  // Whatever goes wrong here must not stop the agent.
  const quietly = (work) => async (...args) => {
    try {
      await work(...args)
    } catch {}
  }
  quietly(takeUp)()

  return {
    "chat.message": quietly(async ({ sessionID }) => {
      await text(sessionID)
      await mark(sessionID, true)
      tell("prompt", sessionID)
    }),
    "experimental.chat.system.transform": quietly(async ({ sessionID }, output) => {
      const say = sessionID ? await text(sessionID) : ""
      if (say) output.system.push(say)
    }),
    "tool.execute.after": quietly(async ({ sessionID }) => {
      tell("tool", sessionID, Date.now() > (rests.get(sessionID) ?? 0))
    }),
    "shell.env": quietly(async ({ sessionID }, output) => {
      if (sessionID) output.env.OPENCODE_SESSION_ID = await root(sessionID)
    }),
    "experimental.session.compacting": quietly(async ({ sessionID }, output) => {
      const say = await tell("pre-compact", sessionID, true)
      if (say) output.context.push(say)
    }),
    event: quietly(async ({ event }) => {
      const id = event.properties?.sessionID
      if (event.type === "session.compacted") {
        told.set(id, tell("session-start", id, false, { source: "compact" }))
      }
      if (event.type === "session.idle") {
        const child = (await root(id)) !== id
        const say = await tell(child ? "subagent" : "stop", id, true)
        await mark(id, false)
        if (say) await client.tui.showToast({ body: { message: say.trim(), variant: "info" } })
      }
    }),
  }
}
