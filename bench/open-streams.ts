import { connect, type NetConnectOpts } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { countedWord } from './servers/instant-completion.ts'
import type { Subject } from './subject.ts'

export interface StreamLoad {
  readonly streams: number
  /** The pieces of each stream. */
  readonly pieces: number
  readonly everyMs: number
  /** All streams are opened within this time, at a constant rate. */
  readonly withinMs: number
  /** API keys that take turns, if the server has API keys. */
  readonly keys: number
}

export interface Streamed {
  /** The time from opening each stream to its first piece, in milliseconds. */
  readonly firstPieceMs: readonly number[]
  /** How many streams failed, by reason. */
  readonly failures: ReadonlyMap<string, number>
}

interface Stream {
  readonly firstPieceMs: number | undefined
  /** Absent if it ended well. */
  readonly failure: string | undefined
}

const silenceMs = 60_000
const done = '[DONE]'

/**
 * Opens streams over OpenAI's chat API, each on a new connection, and reads them to the end.
 *
 * @param whenOpen runs once every stream has received its first piece or failed
 */
export async function openStreams(
  subject: Subject,
  load: StreamLoad,
  whenOpen?: () => Promise<void>,
): Promise<Streamed> {
  const { streams, pieces, withinMs } = load
  const { hostname, port } = new URL(subject.url)
  const requests = writeRequests(subject, load)
  const opened = Promise.withResolvers<void>()
  let waiting = streams
  const onOpen = () => {
    if (--waiting === 0) opened.resolve()
  }
  const startedAt = performance.now()
  const all: Promise<Stream>[] = []
  while (all.length < streams) {
    const due = withinMs === 0 ? streams : ((performance.now() - startedAt) / withinMs) * streams
    while (all.length < Math.min(streams, due)) {
      const request = requests[all.length % requests.length]!
      all.push(readStream({ host: hostname, port: Number(port) }, request, pieces, onOpen))
    }
    await sleep(1)
  }
  await opened.promise
  await whenOpen?.()
  const ended = await Promise.all(all)
  return {
    firstPieceMs: ended.flatMap(({ firstPieceMs }) => firstPieceMs ?? []),
    failures: count(ended.flatMap(({ failure }) => failure ?? [])),
  }
}

/** A request for each API key. */
function writeRequests({ ask: { path, headers, body, keys = [] } }: Subject, load: StreamLoad): readonly Buffer[] {
  const prompt = `${load.pieces} pieces, one every ${load.everyMs} ms`
  const content = JSON.stringify({ ...body, messages: [{ role: 'user', content: prompt }], stream: true })
  const authorizations = keys.slice(0, load.keys).map((key) => ({ authorization: `Bearer ${key}` }))
  return (authorizations.length === 0 ? [{}] : authorizations).map((authorization) => {
    const all = { ...headers, ...authorization, 'content-type': 'application/json', 'content-length': content.length }
    const lines = Object.entries({ host: '127.0.0.1', ...all, connection: 'close' }).map(([name, value]) => {
      return `${name}: ${value}\r\n`
    })
    return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`)
  })
}

/** An HTTP client that parses only what it counts, because thousands of streams share its core with their upstream. */
function readStream(address: NetConnectOpts, request: Buffer, pieces: number, onOpen: () => void): Promise<Stream> {
  return new Promise((resolve) => {
    let status: string | undefined
    let firstPieceMs: number | undefined
    let received = 0
    let isDone = false
    let error: string | undefined
    /** The end of the text so far, because a word may arrive in two parts. Both words are as long. */
    let tail = ''
    const startedAt = performance.now()
    const socket = connect(address, () => socket.write(request)).setEncoding('latin1')
    socket.setTimeout(silenceMs, () => socket.destroy(new Error(`no data for ${silenceMs} ms`)))
    socket.on('error', ({ message }) => (error = message))
    socket.on('data', (text: string) => {
      status ??= text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
      const recent = tail + text
      tail = recent.slice(1 - countedWord.length)
      received += recent.split(countedWord).length - 1
      if (received > 0 && firstPieceMs === undefined) {
        firstPieceMs = performance.now() - startedAt
        onOpen()
      }
      isDone ||= recent.includes(done)
    })
    socket.on('close', () => {
      if (firstPieceMs === undefined) onOpen()
      resolve({ firstPieceMs, failure: explainFailure() })
    })

    function explainFailure(): string | undefined {
      if (status !== undefined && status !== '200') return `status ${status}`
      if (error !== undefined) return error
      if (received !== pieces) return `${received} of ${pieces} pieces`
      return isDone ? undefined : `no ${done}`
    }
  })
}

function count(reasons: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}
