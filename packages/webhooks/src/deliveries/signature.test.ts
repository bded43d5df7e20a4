import * as fc from 'fast-check'
import OpenAI from 'openai'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../core/src/testing/any-character.ts'
import { createWebhookSecret, signWebhook } from './signature.ts'
import { verifyWebhook } from './verify-webhook.ts'

const secret = createWebhookSecret()
const openai = new OpenAI({ apiKey: 'unused', webhookSecret: secret })

type Verify = (headers: Record<string, string>, body: string) => unknown

const verifiers: readonly (readonly [string, Verify])[] = [
  ['standardwebhooks', (headers, body) => new Webhook(secret).verify(body, headers)],
  ['openai', (headers, body) => openai.webhooks.unwrap(body, headers)],
  ['verifyWebhook', (headers, body) => verifyWebhook(headers, body, secret)],
]

interface Delivery {
  readonly id: string
  readonly body: string
}

/** Events with any JSON as their data: unicode, escapes, floats, and nested arrays and objects. */
const deliveries = fc.record({
  id: fc.bigInt({ min: 10n ** 36n, max: 10n ** 37n - 1n }).map((digits) => `evt_${digits}`),
  body: fc
    .record({
      type: fc.constant('shipment.created'),
      timestamp: fc.constant('2026-03-14T09:26:53.589Z'),
      data: fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ stringUnit: anyCharacter })),
    })
    .map((event) => JSON.stringify(event)),
})

/** Signs a delivery now, since the packages read the system clock. */
function signedHeaders({ id, body }: Delivery, secrets = [secret]): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = signWebhook({ id, timestamp, body, secrets })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
}

describe('createWebhookSecret', () => {
  test('createWebhookSecret returns whsec_ and the base64 of 32 bytes, different each time', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
    expect(createWebhookSecret()).not.toBe(secret)
  })
})

describe('signWebhook', () => {
  test('signWebhook returns the signature of the example in the specification', () => {
    const signature = signWebhook({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    })
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('signWebhook returns the same signature for a string and its bytes', () => {
    const input = { id: 'evt_1', timestamp: 1_700_000_000, secrets: [secret] }
    expect(signWebhook({ ...input, body: Buffer.from('"é😀"') })).toBe(signWebhook({ ...input, body: '"é😀"' }))
  })

  test('signWebhook returns one signature per secret', () => {
    const [first, second] = [createWebhookSecret(), createWebhookSecret()]
    const sign = (...secrets: readonly string[]) => signWebhook({ id: 'evt_1', timestamp: 1, body: '{}', secrets })
    expect(sign(first, second)).toBe(`${sign(first)} ${sign(second)}`)
  })

  test.each(['', 'whsec_', 'whsec_c2hvcnQ=', secret.slice('whsec_'.length), `${secret} `, 'whsec_not base64'])(
    'signWebhook rejects the malformed secret %j without repeating it',
    (malformed) => {
      expect(() => signWebhook({ id: 'evt_1', timestamp: 1, body: '{}', secrets: [malformed] })).toThrow(
        new TypeError('The webhook secret is missing or malformed: it must be "whsec_" followed by base64'),
      )
    },
  )

  test('signWebhook rejects an empty list of secrets', () => {
    expect(() => signWebhook({ id: 'evt_1', timestamp: 1, body: '{}', secrets: [] })).toThrow(TypeError)
  })
})

describe.each(verifiers)('%s', (_name, verify) => {
  const verified = async (...call: Parameters<Verify>) => verify(...call)

  test('a webhook verifier accepts 1,000 generated payloads that signWebhook signed, and returns their events', async () => {
    const accepted = fc.asyncProperty(deliveries, async (delivery) => {
      const event = await verified(signedHeaders(delivery), delivery.body)
      expect(event).toEqual(JSON.parse(delivery.body))
    })
    await fc.assert(accepted, { numRuns: 1_000 })
  })

  test('a webhook verifier rejects a delivery with a changed character in its body, id, timestamp, or signature', async () => {
    const tampered = fc.asyncProperty(deliveries, fc.nat(), async (delivery, seed) => {
      const headers = signedHeaders(delivery)
      await expect(verified(headers, changed(delivery.body, seed))).rejects.toThrow(Error)
      for (const [name, value] of Object.entries(headers)) {
        const at = name === 'webhook-signature' ? 'v1,'.length + (seed % 42) : value.length - 1
        await expect(verified({ ...headers, [name]: changed(value, at) }, delivery.body)).rejects.toThrow(Error)
      }
    })
    await fc.assert(tampered, { numRuns: 100 })
  })

  test('a webhook verifier accepts a delivery that another secret signs as well', async () => {
    const delivery = { id: 'evt_1', body: '{}' }
    const other = createWebhookSecret()
    expect(await verified(signedHeaders(delivery, [secret, other]), delivery.body)).toEqual({})
    expect(await verified(signedHeaders(delivery, [other, secret]), delivery.body)).toEqual({})
  })
})

/** The text with another character at a position. */
function changed(text: string, seed: number): string {
  const at = seed % text.length
  return text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1)
}
