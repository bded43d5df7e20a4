import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createWebhookSecret, signWebhook } from '@fairlead/webhooks/verify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { codeBlocks } from './code-blocks.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/receive-webhooks.md'), 'utf8')
const secret = createWebhookSecret()
const body = '{"type":"webhook.test","timestamp":"2026-03-14T09:26:53.589Z","data":{"text":"Ü 😀"}}'

/** The first block of JavaScript below a heading of the page. */
function blockBelow(heading: string): string {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`))
  return codeBlocks(section).find(({ language }) => language === 'js')?.text ?? ''
}

/** Writes a program into a folder from which the packages of the workspace are resolved. Returns its path. */
function write(program: string): string {
  const folder = mkdtempSync(join(root, '.try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'receiver.mjs')
  writeFileSync(path, program)
  return path
}

/** A program that sends the port of its server to the process that started it. */
const reportPort = `data:text/javascript,${encodeURIComponent(`
  import { subscribe } from 'node:diagnostics_channel'
  subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => process.send(server.address().port))
`)}`

/** Runs a program with a server on a free port. Returns the address of its webhook. */
async function start(program: string): Promise<string> {
  const path = write(program.replaceAll('3000', '0'))
  const execArgv = ['--conditions=@fairlead/source', `--import=${reportPort}`]
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  const child = fork(path, { execArgv, env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  onTestFinished(() => void child.kill())
  const [port] = await once(child, 'message')
  return `http://localhost:${port}/webhooks`
}

function headersNow() {
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = signWebhook({ id: 'evt_1', timestamp, body, secrets: [secret] })
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
}

function delivery(sentBody: string) {
  return { method: 'POST', headers: { ...headersNow(), 'content-type': 'application/json' }, body: sentBody }
}

const forged = body.replace('Ü', 'U')

describe('docs/receive-webhooks.md', () => {
  test.each(['Express', 'Fastify'])('the receiver with %s accepts only signed deliveries', async (framework) => {
    const url = await start(blockBelow(framework))
    expect((await fetch(url, delivery(body))).status).toBe(204)
    expect((await fetch(url, delivery(forged))).status).toBe(400)
  })

  test('the receiver with a fetch handler accepts only signed deliveries', async () => {
    vi.stubEnv('WEBHOOK_SECRET', secret)
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.spyOn(console, 'log').mockReturnValue()
    const { POST } = await import(pathToFileURL(write(blockBelow('Next.js, Hono, Bun, Deno'))).href)
    expect((await POST(new Request('http://localhost', delivery(body)))).status).toBe(204)
    expect((await POST(new Request('http://localhost', delivery(forged)))).status).toBe(400)
  })

  test('the receiver without a package accepts only signed deliveries', async () => {
    const { verify } = await import(pathToFileURL(write(blockBelow('Without a package'))).href)
    expect(verify(headersNow(), body, secret)).toEqual(JSON.parse(body))
    expect(verify(headersNow(), Buffer.from(body), secret)).toEqual(JSON.parse(body))
    expect(() => verify(headersNow(), forged, secret)).toThrow('No signature matches')
    expect(() => verify({ ...headersNow(), 'webhook-timestamp': '1' }, body, secret)).toThrow('The timestamp is')
  })
})
