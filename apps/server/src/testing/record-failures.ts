import { failing, scripted, testClock, fakeTextModel, withOutages, testStores } from '@fairlead/testing'
import type { Provider, ProviderErrorOptions, ProviderFailure } from '@fairlead/core/provider'
import { serveApp } from './serve-app.ts'

/** Causes an error of every code, and records the response by its code. */
export async function recordFailures(): Promise<Readonly<Record<string, unknown>>> {
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

  async function cause(code: string, method: string, path: string, options: CallOptions = {}) {
    const { body, token = caller.token, headers } = options
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
  await cause('INVALID_REQUEST', 'POST', '/generate', { body: { ...greet, top_p: 2, maxTokens: 5 } })
  await cause('UNAUTHORIZED', 'GET', '/models', { token: 'unknown' })
  await cause('FORBIDDEN', 'DELETE', '/users/usr_0')
  await cause('NOT_FOUND', 'GET', '/models/none')
  await cause('METHOD_NOT_ALLOWED', 'DELETE', '/models')
  await cause('PAYLOAD_TOO_LARGE', 'POST', '/analyze', {
    body: { text: 'x'.repeat(1_048_576), tasks: ['sentiment'] },
  })
  await cause('UNSUPPORTED_MEDIA_TYPE', 'POST', '/generate', { body: 'hi', headers: { 'content-type': 'text/plain' } })
  await causeConflicts(url, caller.token, cause)
  await cause('QUOTA_EXCEEDED', 'POST', '/generate', { body: greet, token: spent.token })
  await cause('BUDGET_EXCEEDED', 'POST', '/generate', { body: { ...greet, model: 'priced' }, token: poor.token })
  await causeThrottling(cause)
  for (const [code, model] of providerFailures) await cause(code, 'POST', '/generate', { body: { ...greet, model } })
  await cause('INTERNAL_ERROR', 'GET', `/images/img_${'0'.repeat(37)}.png`)
  stores.failNext(1)
  await cause('SERVICE_UNAVAILABLE', 'POST', '/shipments', { body: shipment })
  return found
}

interface CallOptions {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Cause = (code: string, method: string, path: string, options?: CallOptions) => Promise<void>

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

async function causeConflicts(url: string, token: string, cause: Cause) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'order-1001',
  }
  const created = await fetch(`${url}/shipments`, { method: 'POST', headers, body: JSON.stringify(shipment) })
  const location = created.headers.get('location') ?? ''
  await cause('CONFLICT', 'POST', '/shipments', { body: shipment })
  const body = { ...shipment, reference: 'ORDER-1002' }
  await cause('IDEMPOTENCY_KEY_REUSED', 'POST', '/shipments', { body, headers })
  await cause('PRECONDITION_FAILED', 'DELETE', location, { headers: { 'if-match': '"7"' } })
}

async function causeThrottling(cause: Cause) {
  const body = { email: 'grace@example.com', password: 'not the right one' }
  for (let failures = 0; failures < 10; failures++) await cause('UNAUTHORIZED', 'POST', '/auth/login', { body })
  await cause('RATE_LIMIT_EXCEEDED', 'POST', '/auth/login', { body })
}
