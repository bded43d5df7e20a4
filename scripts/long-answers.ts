// npm run long-answers -- [minutes]: starts the service as `npm start` does, before a slow upstream on this machine, and asks
// every API for a stream and for a whole answer, all at once. The streams take 15 minutes: a word every two seconds, and
// silent thinking with pings for a third of the time. The whole answers take 9.5 minutes. Prints a line for each.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

const minutes = Number(process.argv[2] ?? 15)
const streamMs = minutes * 60_000
const wholeMs = streamMs * (9.5 / 15)
const wordMs = 2_000
const pingMs = 10_000
const port = 18_080
const login = { email: 'admin@example.com', password: 'a password for one run' }

const upstream = createServer(async (asked, response) => {
  if (asked.method === 'GET') return void sendJson(response, { object: 'list', data: [{ id: 'gpt-4o-mini' }] })
  const body = (await json(asked)) as { readonly stream?: boolean }
  const api = asked.url?.endsWith('/messages') ? anthropic : openai
  if (body.stream === true) return streamSlowly(response, api)
  setTimeout(() => sendJson(response, api.whole), wholeMs)
})

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

interface Api {
  readonly whole: object
  readonly head: string
  readonly ping: string
  readonly word: string
  readonly end: string
  /** When the silent thinking begins and ends, as a share of the time. */
  readonly silence: readonly [number, number]
}

const event = (data: { readonly type?: string; readonly [field: string]: unknown }) =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`
const delta = (change: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta: change, finish_reason }] })

/** Pauses in the middle, with comments. */
const openai: Api = {
  whole: {
    choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  },
  head: delta({ role: 'assistant', content: '' }),
  ping: ': still thinking\n\n',
  word: delta({ content: 'word ' }),
  end: `${delta({}, 'stop')}data: [DONE]\n\n`,
  silence: [1 / 3, 2 / 3],
}

const usage = { input_tokens: 1, output_tokens: 1 }
/** Thinks before its first word, with `ping` events. */
const anthropic: Api = {
  whole: {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'whole' }],
    stop_reason: 'end_turn',
    usage,
  },
  head: event({ type: 'message_start', message: { usage } }),
  ping: event({ type: 'ping' }),
  word: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } }),
  end: event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }) + event({ type: 'message_stop' }),
  silence: [0, 1 / 3],
}

function streamSlowly(response: ServerResponse, { head, ping, word, end, silence: [from, to] }: Api): void {
  const startedAt = performance.now()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(head)
  const step = () => {
    const share = (performance.now() - startedAt) / streamMs
    if (share >= 1) return void response.end(end)
    const isSilent = share >= from && share < to
    response.write(isSilent ? ping : word)
    timer = setTimeout(step, isSilent ? pingMs : wordMs)
  }
  let timer = setTimeout(step, pingMs)
  response.on('close', () => clearTimeout(timer))
}

interface Outcome {
  readonly status: number
  readonly text: string
  readonly seconds: number
  readonly longestGapSeconds: number
}

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let readAt = startedAt
    let longestGapMs = 0
    let text = ''
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST' }, (response) => {
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        longestGapMs = Math.max(longestGapMs, performance.now() - readAt)
        readAt = performance.now()
        text += piece
      })
      response.on('error', reject)
      response.on('end', () => {
        const seconds = (performance.now() - startedAt) / 1_000
        resolve({ status: response.statusCode ?? 0, text, seconds, longestGapSeconds: longestGapMs / 1_000 })
      })
    })
    sent.on('error', reject)
    for (const [name, value] of Object.entries({ 'content-type': 'application/json', ...headers })) {
      sent.setHeader(name, value)
    }
    sent.end(JSON.stringify(body))
  })
}

async function serviceStarts(service: ChildProcess): Promise<void> {
  service.stderr?.pipe(process.stderr)
  for await (const line of service.stdout ?? []) {
    if (String(line).includes('listens on')) break
  }
  // Its log is not read any further.
  service.stdout?.resume()
}

const gpt = 'openai/gpt-4o-mini'
const claude = 'anthropic/claude-haiku-4-5'
const messages = [{ role: 'user', content: 'Write a long text.' }]
const graphql = (kind: 'mutation' | 'subscription') => ({
  query:
    kind === 'mutation'
      ? `mutation { generate(input: { model: "${claude}", prompt: "Write." }) { generation { content } } }`
      : `subscription { generateStream(input: { model: "${claude}", prompt: "Write." }) { ... on GenerationChunk { content } ... on Generation { finishReason } } }`,
})
const events = { accept: 'text/event-stream' }

interface Ask {
  readonly name: string
  readonly path: string
  readonly body: object
  readonly headers?: Record<string, string>
  /** Part of every complete response. */
  readonly end: string
}

const asks: readonly Ask[] = [
  {
    name: 'REST, stream',
    path: '/v1/generate',
    body: { model: gpt, prompt: 'Write.', stream: true },
    end: 'event: done',
  },
  { name: 'REST, whole', path: '/v1/generate', body: { model: gpt, prompt: 'Write.' }, end: '"whole"' },
  { name: 'GraphQL, stream', path: '/graphql', body: graphql('subscription'), headers: events, end: 'event: complete' },
  { name: 'GraphQL, whole', path: '/graphql', body: graphql('mutation'), end: '"whole"' },
  {
    name: 'OpenAI, stream',
    path: '/openai/v1/chat/completions',
    body: { model: gpt, messages, stream: true },
    end: '[DONE]',
  },
  { name: 'OpenAI, whole', path: '/openai/v1/chat/completions', body: { model: gpt, messages }, end: '"whole"' },
  {
    name: 'Anthropic, stream',
    path: '/anthropic/v1/messages',
    body: { model: claude, messages, max_tokens: 8_000, stream: true },
    end: 'message_stop',
  },
  {
    name: 'Anthropic, whole',
    path: '/anthropic/v1/messages',
    body: { model: claude, messages, max_tokens: 8_000 },
    end: '"whole"',
  },
]

async function tryAll(token: string): Promise<boolean> {
  const outcomes = await Promise.all(
    asks.map(async ({ name, path, body, headers, end }) => {
      const startedAt = performance.now()
      try {
        const answer = await post(path, body, { authorization: `Bearer ${token}`, ...headers })
        const { status, text, seconds, longestGapSeconds } = answer
        const words = text.split('word ').length - 1
        const isComplete = status === 200 && text.includes(end)
        const facts = `${status}, ${seconds.toFixed(1)} s, ${words} words, longest pause ${longestGapSeconds.toFixed(1)} s`
        console.log(`${isComplete ? 'complete' : 'FAILED  '} ${name}: ${facts}`)
        if (!isComplete) console.log(text.slice(-500))
        return isComplete
      } catch (error) {
        console.log(
          `FAILED   ${name}: ${String(error)} after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
        )
        return false
      }
    }),
  )
  return outcomes.every(Boolean)
}

const folder = await mkdtemp(join(tmpdir(), 'long-answers-'))
upstream.requestTimeout = 0
await once(upstream.listen(0, '127.0.0.1'), 'listening')
const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
const service = spawn('npm', ['start'], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: {
    ...process.env,
    PORT: String(port),
    FAIRLEAD_DATA_DIR: folder,
    FAIRLEAD_PROVIDERS: 'openai,anthropic',
    FAIRLEAD_ADMIN_EMAIL: login.email,
    FAIRLEAD_ADMIN_PASSWORD: login.password,
    OPENAI_API_KEY: 'sk-none',
    OPENAI_BASE_URL: `${address}/v1`,
    ANTHROPIC_API_KEY: 'sk-none',
    ANTHROPIC_BASE_URL: address,
  },
})
try {
  await serviceStarts(service)
  const session = JSON.parse((await post('/v1/auth/login', login)).text) as { data: { access_token: string } }
  const bearer = { authorization: `Bearer ${session.data.access_token}` }
  // A session would end before the streams do.
  const created = await post('/v1/api-keys', { name: 'long answers', scopes: ['generate'] }, bearer)
  const { data } = JSON.parse(created.text) as { data: { secret: string } }
  console.log(
    `${new Date().toISOString()} streams of ${minutes} minutes, whole answers of ${(wholeMs / 60_000).toFixed(1)}`,
  )
  process.exitCode = (await tryAll(data.secret)) ? 0 : 1
} finally {
  service.kill('SIGTERM')
  await once(service, 'exit')
  upstream.close()
  upstream.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
}
