import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createWebhookSecret, signWebhook } from '@fairlead/webhooks/verify'
import { describe, expect, onTestFinished, test } from 'vitest'

const program = ['--conditions=@fairlead/source', join(import.meta.dirname, '../main.ts'), 'webhooks', 'listen']
const secret = createWebhookSecret()

async function startListener() {
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  const child = spawn(process.execPath, [...program, '--port', '0'], { env })
  onTestFinished(() => void child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const nextLine = async () => (await lines.next()).value as string
  return { nextLine, url: (await nextLine()).replace('Listening for webhooks on ', '') }
}

async function deliver(url: string, body: string, sentBody = body) {
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook({ id: 'evt_1', timestamp, body, secrets: [secret] }),
  }
  const { status } = await fetch(url, { method: 'POST', headers, body: sentBody })
  return status
}

describe('fairlead webhooks listen', () => {
  test('fairlead webhooks listen accepts and prints a signed delivery', async () => {
    const { url, nextLine } = await startListener()
    expect(await deliver(url, '{"type":"webhook.test"}')).toBe(204)
    expect(await nextLine()).toBe('')
    expect(await nextLine()).toMatch(/^\S+Z verified evt_1 webhook\.test$/)
    expect([await nextLine(), await nextLine(), await nextLine()]).toEqual(['{', '  "type": "webhook.test"', '}'])
  })

  test('fairlead webhooks listen rejects a modified delivery and says why', async () => {
    const { url, nextLine } = await startListener()
    expect(await deliver(url, '{}', '{"forged":true}')).toBe(400)
    expect(await nextLine()).toBe('')
    expect(await nextLine()).toMatch(/^\S+Z rejected No signature matches/)
  })

  test('fairlead webhooks listen prints the commands to try webhooks and fails if the secret is missing', async () => {
    const env = { ...process.env, WEBHOOK_SECRET: '' }
    const run = promisify(execFile)(process.execPath, [...program, '--port', '4321'], { env })
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS=127\.0\.0\.1 fairlead start[^]*http:\/\/127\.0\.0\.1:4321[^]*The secret of the webhook is missing/,
      ),
    })
  })

  test('fairlead webhooks listen names an option that it does not have', async () => {
    const run = promisify(execFile)(process.execPath, [...program, '--prt', '4321'])
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: "error: unknown option '--prt'\n(Did you mean --port?)\n",
    })
  })
})
