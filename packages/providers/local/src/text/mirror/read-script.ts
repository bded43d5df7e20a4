/** The instructions of one turn of a script. */
export interface Script {
  /** The text of the answer. Default: the last user message without its script, unless the turn calls tools. */
  readonly reply?: string
  readonly reasoning?: string
  /** Made at once, in this order. */
  readonly toolCalls?: readonly ScriptedCall[]
  /** Repeats or cuts the reply to exactly this many tokens. */
  readonly tokens?: number
  /** Like the request's maximum; the smaller one applies. */
  readonly maxTokens?: number
  /** Before the answer and, in a stream, before each further chunk. */
  readonly delayMs?: number
  /** How many chunks a stream has for each part of the answer. */
  readonly chunks?: number
  readonly fail?: Failure
  /** How many chunks a stream has before it fails. */
  readonly failAfter?: number
  /** How many calls with this script fail before it answers. Without it every call fails. */
  readonly failTimes?: number
}

export interface ScriptedCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export const failures = ['timeout', 'unavailable', 'rate_limited', 'refused', 'malformed'] as const
export type Failure = (typeof failures)[number]

/** A message's script, and the message without it. */
export interface ScriptedText {
  /** A script for each turn of the mirror after the message. Empty without a script. */
  readonly turns: readonly Script[]
  readonly rest: string
  /** Lines of the script that mean nothing, as they were written. */
  readonly unread: readonly string[]
}

const forms = [
  { open: /(?:^|\n)```mirror[ \t]{0,9}\n/, close: /(?:^|\n)```[ \t]{0,9}(?:\n|$)/, ours: true },
  // Front matter may be the prompt's own; a block that says `mirror` can only be meant for us.
  { open: /^---[ \t]{0,9}\n/, close: /(?:^|\n)---[ \t]{0,9}(?:\n|$)/, ours: false },
]

/** Reads the script from a block fenced with `mirror`, or from front matter that has at least one key it knows. */
export function readScript(message: string): ScriptedText {
  const text = message.replaceAll('\r\n', '\n')
  for (const { open, close, ours } of forms) {
    const opening = open.exec(text)
    if (!opening) continue
    const after = text.slice(opening.index + opening[0].length)
    const closing = close.exec(after)
    if (!closing) continue
    const { turns, unread } = readLines(after.slice(0, closing.index))
    if (!ours && turns.every((turn) => Object.keys(turn).length === 0)) continue
    return {
      turns,
      unread,
      rest: `${text.slice(0, opening.index)}\n${after.slice(closing.index + closing[0].length)}`.trim(),
    }
  }
  return { turns: [], rest: message, unread: [] }
}

const maxToolCalls = 128

type Reader = (value: string, soFar: Script) => Partial<Script> | undefined

const readers: Readonly<Record<string, Reader>> = {
  reply: (value) => ({ reply: unquoted(value) }),
  reasoning: (value) => ({ reasoning: unquoted(value) }),
  tool_call: (value, { toolCalls = [] }) => {
    const call = toolCalls.length < maxToolCalls ? toolCall(value) : undefined
    return call && { toolCalls: [...toolCalls, call] }
  },
  tokens: (value) => whole(value, 16_384, (tokens) => ({ tokens })),
  max_tokens: (value) => whole(value, 16_384, (maxTokens) => ({ maxTokens })),
  delay_ms: (value) => whole(value, 600_000, (delayMs) => ({ delayMs })),
  chunks: (value) => whole(value, 16_384, (chunks) => ({ chunks: Math.max(1, chunks) })),
  fail: (value) => {
    const fail = failures.find((known) => known === value)
    return fail && { fail }
  },
  fail_after: (value) => whole(value, 16_384, (failAfter) => ({ failAfter })),
  fail_times: (value) => whole(value, 1_000, (failTimes) => ({ failTimes })),
}

function readLines(block: string): { turns: readonly Script[]; unread: readonly string[] } {
  const unread: string[] = []
  const turns: Script[] = [{}]
  for (const line of entries(block)) {
    const [, key = '', value = ''] = /^\s*([a-z_]+)\s*:[ \t]*([\s\S]*)$/.exec(line) ?? []
    if (key === 'next' && value.trim() === '') {
      turns.push({})
      continue
    }
    const script = turns.at(-1)!
    const read = Object.hasOwn(readers, key) ? readers[key]!(value, script) : undefined
    if (read) turns[turns.length - 1] = { ...script, ...read }
    else unread.push(line.trim())
  }
  return { turns, unread }
}

/** One string a key; `reply: |` takes the indented lines below it. */
function entries(block: string): string[] {
  const lines: string[] = []
  let open = false
  for (const line of block.split('\n')) {
    if (open && (/^\s/.test(line) || line === '')) {
      lines.push(`${lines.pop()}\n${line.replace(/^ {1,2}|^\t/, '')}`)
      continue
    }
    open = /^\s*[a-z_]+\s*:\s*\|\s*$/.test(line)
    if (line.trim() !== '') lines.push(open ? line.replace(/\|\s*$/, '') : line)
  }
  return lines
}

function unquoted(value: string): string {
  const trimmed = value.startsWith('\n') ? value.slice(1).trimEnd() : value.trim()
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(trimmed)
  return quoted
    ? quoted[1]!.replaceAll(/\\([nt"\\])/g, (_, mark: string) => ({ n: '\n', t: '\t' })[mark] ?? mark)
    : trimmed
}

function whole(value: string, most: number, read: (number: number) => Partial<Script>): Partial<Script> | undefined {
  return /^\d{1,7}$/.test(value.trim()) ? read(Math.min(Number(value), most)) : undefined
}

/** The name of a tool, and its input as a JSON object. */
function toolCall(value: string): ScriptedCall | undefined {
  const [, name, json = '{}'] = /^([\w-]{1,64})(?:\s+(\{[\s\S]*\}))?$/.exec(value.trim()) ?? []
  if (name === undefined || !isFlatEnough(json)) return undefined
  try {
    return { name, input: JSON.parse(json) as ScriptedCall['input'] }
  } catch {
    return undefined
  }
}

/** Core accepts inputs up to 48 levels deep. */
const maxDepth = 40

function isFlatEnough(json: string): boolean {
  let depth = 0
  for (const mark of json.matchAll(/[[{\]}]/g)) {
    depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1
    if (depth > maxDepth) return false
  }
  return true
}
