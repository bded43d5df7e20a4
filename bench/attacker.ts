// Started by bench/tenants.ts: 64 connections of one account that flood, fail and hang, until the parent exits.
import { setPriority } from 'node:os'
import { Agent, request } from 'undici'

const [url = '', key = ''] = process.argv.slice(2)
const connections = 64
/** How long the client waits before it cancels a call that hangs. */
const giveUpMs = 2_000

const script = (...lines: string[]) => ({ model: 'mirror', prompt: ['```mirror', ...lines, '```'].join('\n') })
const sentence = 'Zhang Wei of Barlow Rovik saw Mirko Adelt near Ostrava with Kvasir. '
const words = Array.from({ length: 101 }, (_, n) => `wug${n}`).join(' ')
const tasks = ['sentiment', 'entities', 'keywords']

const attacks: readonly (readonly [path: string, body: object])[] = [
  ['/generate', { model: 'scribe', prompt: 'a long poem about the sea', max_tokens: 4_096 }],
  ['/generate', script('fail: unavailable')],
  ['/generate', script('fail: malformed')],
  ['/generate', script('fail: timeout', 'delay_ms: 500')],
  ['/generate', script('delay_ms: 600000')],
  ['/generate', { ...script('delay_ms: 600000'), stream: true }],
  ['/generate', { model: 'mirror', prompt: 'x'.repeat(90_000) }],
  ['/generate', { model: 'scribe', prompt: 'a\u0301\u0323'.repeat(20_000) }],
  ['/analyze', { text: 'A.'.repeat(100), tasks: ['entities'] }],
  ['/analyze', { text: sentence.repeat(1_450), tasks }],
  ['/analyze', { text: '('.repeat(100_000), tasks }],
  ['/generate/image', { model: 'vista', prompt: words, size: '256x256' }],
  ['/generate/image', { model: 'vista', prompt: 'a city', size: '1792x1024', quality: 'hd' }],
  ['/generate/image', { model: 'motif', prompt: 'a pattern', size: '1792x1024', quality: 'hd' }],
  ['/generate/image', { model: 'motif', prompt: 'x', size: '1x1' }],
]

// A real attacker has its own machine. Here it must not use the server's CPU time.
setPriority(15)
const dispatcher = new Agent({ connections })
const statuses: Record<string, number> = {}
process.on('message', () => void process.send?.(statuses))
process.on('disconnect', () => process.exit(0))
for (let connection = 0; connection < connections; connection++) void attack(connection)

async function attack(first: number): Promise<void> {
  for (let n = first; ; n++) {
    const [path, body] = attacks[n % attacks.length]!
    const status = await send(path, body)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}

async function send(path: string, body: object): Promise<number | 'gave up'> {
  try {
    const reply = await request(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
      dispatcher,
      signal: AbortSignal.timeout(giveUpMs),
    })
    await reply.body.dump()
    return reply.statusCode
  } catch {
    return 'gave up'
  }
}
