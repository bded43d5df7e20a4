import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const mebibyte = 1_048_576
/** Only `npm run fuzz` limits the time: in `npm test`, other tests use the processor meanwhile. */
const maxHealthzMs = process.env['FUZZ_RUNS'] === undefined ? 30_000 : 1_000
const slow = { timeout: 300_000 }

interface Attack {
  /** The heads of the responses. */
  readonly answers: readonly string[]
  /** How much the resident memory grew at most. */
  readonly grownBytes: number
  readonly healthzMs: number
}

/** Sends requests of 19 MB in parallel with the key of a new account. */
async function attack(requests: number, settings: Readonly<Record<string, string>>): Promise<Attack> {
  const server = runMain(settings)
  const url = await server.url
  const key = await freeKey(url)
  const body = Buffer.from(
    JSON.stringify({ model: 'scribe', messages: [{ role: 'user', content: 'word '.repeat(3_800_000) }] }),
  )
  const before = peakBytes(server.pid)
  const answers = Promise.all(Array.from({ length: requests }, () => sendAll(url, key, body)))
  const over = new AbortController()
  void answers.finally(() => over.abort())
  const healthzMs = await longestHealthz(url, over.signal)
  const outcome = { answers: await answers, grownBytes: peakBytes(server.pid) - before, healthzMs }
  server.signal('SIGKILL')
  await server.end
  return outcome
}

/** Asks until the signal aborts. @returns how long the slowest answer took */
async function longestHealthz(url: string, over: AbortSignal): Promise<number> {
  let longest = 0
  while (!over.aborted) {
    const startedAt = performance.now()
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    longest = Math.max(longest, performance.now() - startedAt)
  }
  return longest
}

/** Sends a whole body, whatever the server says meanwhile. @returns the head of the response */
function sendAll(url: string, key: string, body: Buffer): Promise<string> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = [
    'POST /openai/v1/chat/completions HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Authorization: Bearer ${key}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
  // A server that answers before it has read the body closes the connection.
  socket.on('error', () => {})
  return new Promise((resolve) => socket.on('close', () => resolve(answer.slice(0, answer.indexOf('\r\n\r\n')))))
}

async function freeKey(url: string): Promise<string> {
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    return (await response.json()).data
  }
  const session = await post('/auth/signup', { name: 'Mallory', email: 'm@example.com', password: 'correct horse 7' })
  return (await post('/api-keys', { name: 'attack' }, session.access_token)).secret
}

/** The most memory that a process had resident so far. */
function peakBytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** The service without bodies, and what is not a body: code that runs for the first time, and garbage. */
const marginBytes = 192 * mebibyte

describe.skipIf(process.platform !== 'linux')('sixteen bodies of 19 MB from one key', () => {
  test(
    'sixteen bodies of 19 MB from one key get 503 beyond its share, and take no more memory than that',
    slow,
    async () => {
      const { answers, grownBytes, healthzMs } = await attack(16, {
        FAIRLEAD_MAX_HELD_BODY_BYTES: String(64 * mebibyte),
      })
      // The others were read: their prompt has too many characters. A client that goes on sending may lose the answer.
      const refused = answers.filter((answer) => !answer.startsWith('HTTP/1.1 400 '))
      expect(refused.length).toBeGreaterThan(8)
      for (const answer of refused.filter((each) => each !== '')) {
        expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: 1\r\n/)
      }
      expect(grownBytes).toBeLessThan(64 * mebibyte + marginBytes)
      expect(healthzMs).toBeLessThan(maxHealthzMs)
    },
  )
})
