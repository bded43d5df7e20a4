import { failing, scripted, testClock, fakeTextModel, withOutages, testStores } from '@fairlead/testing'
import type { Provider, ProviderErrorOptions, ProviderFailure } from '@fairlead/core/provider'
import { serveApp } from './serve-app.ts'

/** Causes an error of every code, and records the response by its code. */
export async function tourFailures(): Promise<Readonly<Record<string, unknown>>> {
  const stores = withOutages(testStores({ clock: testClock() }))
  const { url, caller, addCaller } = await serveApp({
    core: {
      stores,
      signup: true,
      blobs: brokenBlobs,
      providers: [
        scripted('calm', 'hello there'),
        {
          ...scripted('priced', 'hello there'),
          models: [fakeTextModel({ id: 'priced', pricing: { input: 3, output: 15 } })],
        },
        only('strict', 'content_refused', { detail: 'the prompt asks for what is not allowed' }),
        only('fragile', 'give_up'),
        only('slow', 'timeout'),
        only('busy', 'retry', { retryAfterMs: 7_000 }),
      ],
    },
  })
  const { credentials: spent } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 0 } })
  const { credentials: poor } = await addCaller({ user: { budgetUsd: 0.001, budgetPeriod: 'month' } })
  const found: Record<string, unknown> = {}

  async function meet(code: string, method: string, path: string, visit: Visit = {}) {
    const { body, token = caller.token, headers } = visit
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { error?: { code: string } }
    if (answer.error?.code !== code) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}, not ${code}`)
    found[code] = answer
  }

  const greet = { model: 'any', prompt: 'Greet me' }
  await meet('INVALID_REQUEST', 'POST', '/generate', { body: { ...greet, top_p: 2, maxTokens: 5 } })
  await meet('UNAUTHORIZED', 'GET', '/models', { token: 'unknown' })
  await meet('FORBIDDEN', 'DELETE', '/users/usr_0')
  await meet('NOT_FOUND', 'GET', '/models/none')
  await meet('METHOD_NOT_ALLOWED', 'DELETE', '/models')
  await meet('PAYLOAD_TOO_LARGE', 'POST', '/analyze', {
    body: { text: 'x'.repeat(1_048_576), tasks: ['sentiment'] },
  })
  await meet('UNSUPPORTED_MEDIA_TYPE', 'POST', '/generate', { body: 'hi', headers: { 'content-type': 'text/plain' } })
  await meetConflicts(url, caller.token, meet)
  await meet('QUOTA_EXCEEDED', 'POST', '/generate', { body: greet, token: spent.token })
  await meet('BUDGET_EXCEEDED', 'POST', '/generate', { body: { ...greet, model: 'priced' }, token: poor.token })
  await meetThrottle(meet)
  for (const [code, model] of providerFailures) await meet(code, 'POST', '/generate', { body: { ...greet, model } })
  await meet('INTERNAL_ERROR', 'GET', `/images/img_${'0'.repeat(37)}.png`)
  stores.failNext(1)
  await meet('SERVICE_UNAVAILABLE', 'POST', '/shipments', { body: shipment })
  return found
}

interface Visit {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Meet = (code: string, method: string, path: string, visit?: Visit) => Promise<void>

const providerFailures = [
  ['CONTENT_REFUSED', 'strict'],
  ['PROVIDER_ERROR', 'fragile'],
  ['PROVIDER_TIMEOUT', 'slow'],
  ['PROVIDER_UNAVAILABLE', 'busy'],
] as const

/** A provider that fails in the given way, with one text model named like the provider. */
function only(id: string, failure: ProviderFailure, options?: ProviderErrorOptions): Provider {
  const provider = failing(id, failure, options)
  return { ...provider, models: [fakeTextModel({ id })] }
}

const brokenBlobs = {
  get: () => Promise.reject(new TypeError('a defect')),
  put: async () => {},
  delete: async () => {},
  async *names() {},
}

const place = { name: 'Ada', street: '12 St James Sq', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' }
const shipment = { reference: 'ORDER-1001', origin: place, destination: place, parcels: [{ weight_kg: 2.5 }] }

async function meetConflicts(url: string, token: string, meet: Meet) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'order-1001',
  }
  const created = await fetch(`${url}/shipments`, { method: 'POST', headers, body: JSON.stringify(shipment) })
  const location = created.headers.get('location') ?? ''
  await meet('CONFLICT', 'POST', '/shipments', { body: shipment })
  const body = { ...shipment, reference: 'ORDER-1002' }
  await meet('IDEMPOTENCY_KEY_REUSED', 'POST', '/shipments', { body, headers })
  await meet('PRECONDITION_FAILED', 'DELETE', location, { headers: { 'if-match': '"7"' } })
}

async function meetThrottle(meet: Meet) {
  const body = { email: 'grace@example.com', password: 'not the right one' }
  for (let failures = 0; failures < 10; failures++) await meet('UNAUTHORIZED', 'POST', '/auth/login', { body })
  await meet('RATE_LIMIT_EXCEEDED', 'POST', '/auth/login', { body })
}
