import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { testClock } from '@fairlead/testing'
import { createWebhookSecret, signWebhook } from './signature.ts'
import { type AnyWebhookEvent, type WebhookHeaders, WebhookVerificationError, verifyWebhook } from './verify-webhook.ts'
import type { WebhookEvent } from '../webhook-event.ts'

const secret = createWebhookSecret()
const clock = testClock()
const sentAt = Math.floor(clock.now() / 1000)
const event = { type: 'shipment.created', timestamp: '2026-03-14T09:26:53.589Z', data: { reference: 'Ü-1 😀' } }
const body = JSON.stringify(event)

function signedHeaders({ id = 'evt_1', timestamp = sentAt, secrets = [secret] as readonly string[] } = {}) {
  const signature = signWebhook({ id, timestamp, body, secrets })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
}

function verify(headers: WebhookHeaders = signedHeaders(), rawBody: string | Uint8Array = body) {
  return verifyWebhook(headers, rawBody, secret, { clock })
}

describe('verifyWebhook', () => {
  test('verifyWebhook returns the event of a signed delivery', () => {
    expect(verify()).toEqual(event)
  })

  test.each([
    ['a Headers object', new Headers(signedHeaders())],
    ['names in upper case', Object.fromEntries(Object.entries(signedHeaders()).map(([k, v]) => [k.toUpperCase(), v]))],
    ['arrays of values', Object.fromEntries(Object.entries(signedHeaders()).map(([name, value]) => [name, [value]]))],
    ['other headers', { ...signedHeaders(), host: 'example.com', 'set-cookie': ['a=1'], accept: undefined }],
    [
      'several signature headers',
      { ...signedHeaders(), 'webhook-signature': ['v1,x', signedHeaders()['webhook-signature']] },
    ],
  ])('verifyWebhook accepts headers as %s', (_form, headers) => {
    expect(verify(headers)).toEqual(event)
  })

  test.each([
    ['a Buffer', Buffer.from(body)],
    ['a Uint8Array', new TextEncoder().encode(body)],
    ['a part of a larger buffer', Buffer.from(`__${body}__`).subarray(2, -2)],
  ])('verifyWebhook accepts the body as %s', (_form, rawBody) => {
    expect(verify(signedHeaders(), rawBody)).toEqual(event)
  })

  test('verifyWebhook accepts one of several secrets', () => {
    const other = createWebhookSecret()
    expect(verifyWebhook(signedHeaders(), body, [other, secret], { clock })).toEqual(event)
  })

  test('verifyWebhook accepts one valid signature among signatures of other secrets and versions', () => {
    const headers = signedHeaders({ secrets: [createWebhookSecret(), secret] })
    headers['webhook-signature'] = `v1a,AAAA  ${headers['webhook-signature']}`
    expect(verify(headers)).toEqual(event)
  })

  test.each([
    ['webhook-id', ['webhook-id']],
    ['webhook-timestamp', ['webhook-timestamp']],
    ['webhook-signature', ['webhook-signature']],
    ['webhook-id, webhook-timestamp, webhook-signature', Object.keys(signedHeaders())],
  ])('verifyWebhook names the missing header %s', (list, names) => {
    const missing = Object.fromEntries(Object.entries(signedHeaders()).filter(([name]) => !names.includes(name)))
    expect(() => verify(missing)).toThrow(new WebhookVerificationError(`Missing header: ${list}`))
  })

  test.each([-300, 300])('verifyWebhook accepts a timestamp %i s from now', (seconds) => {
    expect(verify(signedHeaders({ timestamp: sentAt + seconds }))).toEqual(event)
  })

  test('verifyWebhook rejects a timestamp that is more than 300 s old', () => {
    expect(() => verify(signedHeaders({ timestamp: sentAt - 301 }))).toThrow(
      new WebhookVerificationError('The timestamp is 301 s old: at most 300 s are allowed'),
    )
  })

  test('verifyWebhook rejects a timestamp that is more than 300 s in the future', () => {
    expect(() => verify(signedHeaders({ timestamp: sentAt + 301 }))).toThrow(
      'The timestamp is 301 s in the future: at most 300 s are allowed. Check the clock of this machine',
    )
  })

  test('verifyWebhook accepts no timestamp if the tolerance is not a number', () => {
    expect(() => verifyWebhook(signedHeaders(), body, secret, { clock, toleranceSeconds: Number.NaN })).toThrow(
      WebhookVerificationError,
    )
  })

  test.each(['soon', '-1', '1e9', `${sentAt}.5`, ` ${sentAt}`, 'NaN'])(
    'verifyWebhook rejects the timestamp %j',
    (timestamp) => {
      expect(() => verify({ ...signedHeaders(), 'webhook-timestamp': timestamp })).toThrow(
        new WebhookVerificationError('The header webhook-timestamp is not a number'),
      )
    },
  )

  test('verifyWebhook rejects the signature of another secret, and does not reveal either secret', () => {
    const other = createWebhookSecret()
    const reject = () => verify(signedHeaders({ secrets: [other] }))
    expect(reject).toThrow(WebhookVerificationError)
    expect(reject).toThrow(/^No signature matches: check that the secret is that of this webhook, and that the body/)
    expect(reject).not.toThrow(secret.slice('whsec_'.length))
    expect(reject).not.toThrow(other.slice('whsec_'.length))
  })

  test.each(['', 'v1,', 'v1', 'v2,x', 'v1,😀'.repeat(9)])('verifyWebhook rejects the signature %j', (signature) => {
    expect(() => verify({ ...signedHeaders(), 'webhook-signature': `${signature} ` })).toThrow(WebhookVerificationError)
  })

  test.each([
    [JSON.parse(body), 'an object, such as parsed JSON'],
    [undefined, 'of type undefined'],
  ])('verifyWebhook explains that the body %j is not the raw body', (rawBody, kind) => {
    expect(() => verifyWebhook(signedHeaders(), rawBody, secret, { clock })).toThrow(
      new WebhookVerificationError(`The body is ${kind}: pass it as received, as a string or Uint8Array`),
    )
  })

  test('verifyWebhook rejects a signed body that is not JSON', () => {
    const signature = signWebhook({ id: 'evt_1', timestamp: sentAt, body: 'hello', secrets: [secret] })
    expect(() => verify({ ...signedHeaders(), 'webhook-signature': signature }, 'hello')).toThrow(
      'The body is not JSON',
    )
  })

  test.each([[[]], [''], ['whsec_'], [[secret, 'whsec_']]])(
    'verifyWebhook throws a TypeError for the secret %j',
    (malformed) => {
      expect(() => verifyWebhook({ ...signedHeaders(), 'webhook-signature': ' ' }, body, malformed, { clock })).toThrow(
        TypeError,
      )
    },
  )
})

test('the type of an event narrows its data, with the names of the wire', () => {
  const narrowed = (received: WebhookEvent) => {
    if (received.type === 'quota.warning') return received.data.reset_at
    if (received.type !== 'shipment.status_changed' || 'truncated' in received.data) return undefined
    return received.data.from
  }
  type Narrowed = Exclude<ReturnType<typeof narrowed>, undefined>
  expectTypeOf<'pending'>().toExtend<Narrowed>()
  expectTypeOf<WebhookEvent>().toExtend<AnyWebhookEvent>()
  expectTypeOf(verifyWebhook<AnyWebhookEvent>).returns.toEqualTypeOf<AnyWebhookEvent>()
})

test('@fairlead/webhooks/verify imports only node:crypto', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const imported = []
    registerHooks({
      resolve(specifier, context, next) {
        imported.push(specifier)
        return next(specifier, context)
      },
    })
    await import('@fairlead/webhooks/verify')
    console.log(imported.filter((specifier) => !specifier.startsWith('.')).join())`
  const flags = ['--conditions=@fairlead/source', '--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, flags, { cwd: join(import.meta.dirname, '../../..'), encoding: 'utf8' })
  expect(output).toBe('@fairlead/webhooks/verify,node:crypto,node:crypto\n')
})
