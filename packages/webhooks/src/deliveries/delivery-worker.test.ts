import { describe, expect, onTestFinished, test } from 'vitest'
import { type EventRow } from '@fairlead/core/stores'
import { FairleadError } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import { someEvent, someWebhook, type TestClock, testClock, testStores } from '@fairlead/testing'
import { someDelivery } from '@fairlead/testing/workspace'
import type { Outbound } from '@fairlead/core/feature'
import { startDeliveries } from './delivery-worker.ts'
import { UnreadableSecret } from '../webhook-secrets.ts'
import type { WebhookLimits } from '../webhook-limits.ts'
import type { DeliveryRow, WebhookRow, WebhookStores } from '../webhook-store.ts'

const hourMs = 3_600_000

type WebhookRequest = Required<Parameters<Outbound['request']>[1]> & {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Answers a request with a status, or with an error of that kind. */
type Receiver = (request: WebhookRequest) => number | string | Promise<number | string>

interface World {
  readonly clock: TestClock
  readonly stores: WebhookStores
  readonly requests: readonly WebhookRequest[]
  /** The ids of events, and where each was mailed to. */
  readonly mailed: readonly string[]
  readonly logged: readonly string[]
  /** The logged errors. */
  readonly errors: readonly unknown[]
  readonly disabled: readonly string[]
  /** The events of the observer. */
  readonly observed: readonly unknown[]
  /** Adds a webhook with deliveries that are due. Returns the ids of their events. */
  addDeliveries(webhook: Partial<WebhookRow>, count: number, event?: Partial<EventRow>): Promise<string[]>
  /** @param canDecrypt whether it has the secret key of the service that encrypted the secrets; default: true */
  startWorker(canDecrypt?: boolean): { stop(): Promise<void> }
  /** Tells the worker that events were stored in this process. */
  notify(): void
  readonly claimCount: () => number
}

interface WorldOptions {
  readonly retryAfter?: string
  readonly limits?: WebhookLimits
  /** Wraps the stores of the worker. */
  readonly wrapStores?: (stores: WebhookStores) => WebhookStores
}

function world(receive: Receiver, { retryAfter, limits, wrapStores = (same) => same }: WorldOptions = {}): World {
  const clock = testClock()
  const memory: WebhookStores = testStores({ clock })
  let claims = 0
  let notify = () => {}
  const stores: WebhookStores = {
    ...memory,
    transact: (work, options) =>
      memory.transact((tx) => {
        const { deliveries } = tx
        const claim: typeof deliveries.claim = (request) => {
          claims++
          return deliveries.claim(request)
        }
        return work({ ...tx, deliveries: { ...deliveries, claim } })
      }, options),
  }
  const newId = createIds(clock.now)
  const requests: WebhookRequest[] = []
  const mailed: string[] = []
  const logged: string[] = []
  const errors: unknown[] = []
  const disabled: string[] = []
  const observed: unknown[] = []
  return {
    clock,
    stores,
    requests,
    mailed,
    logged,
    errors,
    disabled,
    observed,
    async addDeliveries(facts, count, event) {
      const webhook = someWebhook(newId, { userId: null, ...facts })
      const events = Array.from({ length: count }, () => someEvent(newId, { userId: webhook.userId, ...event }))
      await stores.transact(async (tx) => {
        await tx.webhooks.add(webhook)
        await tx.events.add(events)
        await tx.deliveries.add(
          events.map(({ id, type }) =>
            someDelivery(newId, { eventId: id, eventType: type, webhookId: webhook.id, createdAt: clock.now() }),
          ),
        )
      })
      return events.map(({ id }) => id)
    },
    startWorker(canDecrypt = true) {
      const worker = startDeliveries({
        stores: wrapStores(stores),
        clock,
        newId,
        random: () => 0,
        log: {
          warn: (_facts, message) => void logged.push(message),
          error: (...entry) => void errors.push(entry),
        },
        observer: {
          deliveryAttempted: (...facts) => void observed.push(['deliveryAttempted', ...facts]),
          webhookDisabled: (...facts) => void observed.push(['webhookDisabled', ...facts]),
        },
        sign({ id: webhookId }, { id, timestamp, body }) {
          if (!canDecrypt) throw new UnreadableSecret(webhookId)
          return `signed ${id} ${timestamp} ${body.length}`
        },
        outbound: {
          async request(url, sent) {
            const request = { ...sent, url } as WebhookRequest
            requests.push(request)
            const answer = await receive(request)
            if (typeof answer === 'string') throw Object.assign(new Error(answer), { kind: answer })
            return { status: answer, headers: { 'retry-after': retryAfter }, body: Buffer.alloc(0), truncated: false }
          },
        },
        sendMail: async (url, { id }) => {
          mailed.push(`${id} to ${url}`)
          return 250
        },
        limits,
        addAuditEntries: async () => {},
        addEvents: async (_tx, events) => void disabled.push(...events.map(({ type }) => type)),
        onCommitted(listener) {
          notify = listener
          return () => {}
        },
      })
      onTestFinished(() => {
        const stopped = worker.stop()
        clock.advance(5_000)
        return stopped
      })
      return worker
    },
    notify: () => notify(),
    claimCount: () => claims,
  }
}

const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

/** Lets time pass in steps of at most an hour, so that the worker polls in between. */
async function pass(clock: TestClock, ms: number, stepMs = hourMs) {
  for (let left = ms; left > 0; left -= stepMs) {
    clock.advance(Math.min(stepMs, left))
    await turns()
  }
}

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')))
}

const idOf = ({ headers }: WebhookRequest) => headers['webhook-id']
const allDeliveries = (stores: WebhookStores) =>
  stores.read((view) => view.deliveries.list({}, { first: 'oldest', limit: 2_000 }))

describe('the delivery worker', () => {
  test('the delivery worker sends each event once, with its id, the time and a signature over the exact body', async () => {
    const { clock, stores, requests, addDeliveries, startWorker } = world(() => 204)
    const [id] = await addDeliveries({ url: 'https://a.example/hook' }, 1)
    startWorker()
    await pass(clock, 1_000, 200)
    expect(requests).toHaveLength(1)
    const [{ url, headers, body }] = requests as [WebhookRequest]
    const sentAt = Math.floor((clock.now() - 800) / 1000)
    expect(url).toBe('https://a.example/hook')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(sentAt),
      'webhook-signature': `signed ${id} ${sentAt} ${body.length}`,
    })
    expect(JSON.parse(body)).toEqual({
      type: 'shipment.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {},
    })
    expect(await allDeliveries(stores)).toMatchObject([{ status: 'delivered', attempts: [{ status: 204 }] }])
  })

  test('the delivery worker mails each event once to an address for mail', async () => {
    const { clock, stores, requests, mailed, addDeliveries, startWorker } = world(() => 204)
    const [id] = await addDeliveries({ url: 'mailto:ops@example.com' }, 1)
    startWorker()
    await pass(clock, 1_000, 200)
    expect(mailed).toEqual([`${id} to mailto:ops@example.com`])
    expect(requests).toEqual([])
    expect(await allDeliveries(stores)).toMatchObject([{ status: 'delivered', attempts: [{ status: 250 }] }])
  })

  test('the delivery worker claims at once when events were stored in this process, and at most once in 10 ms', async () => {
    const { clock, requests, addDeliveries, startWorker, notify, claimCount } = world(() => 204)
    await addDeliveries({}, 1)
    startWorker()
    await pass(clock, 10, 10)
    expect(requests).toHaveLength(1)
    notify()
    await turns()
    const claimed = claimCount()
    await addDeliveries({}, 2)
    for (let n = 0; n < 5; n++) notify()
    await pass(clock, 9, 9)
    expect(claimCount()).toBe(claimed)
    await pass(clock, 1, 1)
    expect(claimCount()).toBe(claimed + 1)
    expect(requests).toHaveLength(3)
  })

  test('the delivery worker asks the store once in five seconds where nothing is due', async () => {
    const { clock, startWorker, claimCount } = world(() => 204)
    startWorker()
    await pass(clock, 600_000, 100)
    expect(claimCount()).toBeLessThanOrEqual(121)
  })

  test('the delivery worker sends a retry when it is due', async () => {
    let status = 500
    const { clock, requests, addDeliveries, startWorker } = world(() => status)
    startWorker()
    await pass(clock, 2_000, 100)
    await addDeliveries({}, 1)
    await pass(clock, 3_000, 100)
    status = 200
    expect(requests).toHaveLength(1)
    // Five seconds and up to a tenth later.
    await pass(clock, 5_600, 100)
    expect(requests).toHaveLength(2)
  })

  test('the delivery worker delivers every event to a receiver that fails for 50 hours, with stable ids', async () => {
    const clockStart = testClock().now()
    let now = () => clockStart
    const { clock, stores, requests, addDeliveries, startWorker } = world(() =>
      now() < clockStart + 50 * hourMs ? 503 : 200,
    )
    now = clock.now
    const ids = await addDeliveries({}, 200)
    startWorker()
    // After a failure, one request at a time is in flight: each step of a second handles many.
    for (let hour = 0; hour < 80; hour++) {
      clock.advance(hourMs - 4_000)
      for (let step = 0; step < 20; step++) {
        clock.advance(200)
        await turns(150)
      }
    }
    expect(new Set(requests.map(idOf))).toEqual(new Set(ids))
    expect((await allDeliveries(stores)).filter(({ status }) => status !== 'delivered')).toEqual([])
  })

  test('the delivery worker leaves no delivery behind and sends none twice when two workers share the stores', async () => {
    const { clock, requests, addDeliveries, startWorker } = world(() => 200)
    const ids = await addDeliveries({}, 300)
    startWorker()
    startWorker()
    await pass(clock, 5_000, 200)
    expect(requests.map(idOf).toSorted()).toEqual([...ids].toSorted())
  })

  test('the delivery worker delivers to others while a receiver never responds', async () => {
    const { clock, requests, addDeliveries, startWorker } = world(({ url, signal }) =>
      url.includes('frozen') ? untilAborted(signal) : 200,
    )
    await addDeliveries({ url: 'https://frozen.example' }, 500)
    const ids = await addDeliveries({ url: 'https://fast.example' }, 100)
    startWorker()
    await pass(clock, 2_000, 200)
    const fast = requests.filter(({ url }) => url.includes('fast'))
    expect(fast.map(idOf).toSorted()).toEqual([...ids].toSorted())
    expect(requests.length - fast.length).toBe(16)
  })

  test('the delivery worker has at most 32 requests in flight to one host, and delivers to others meanwhile', async () => {
    const { clock, requests, addDeliveries, startWorker } = world(({ url, signal }) =>
      url.includes('victim') ? untilAborted(signal) : 200,
    )
    for (let n = 0; n < 20; n++) await addDeliveries({ url: `https://victim.example/${n}` }, 20)
    const ids = await addDeliveries({ url: 'https://other.example' }, 50)
    startWorker()
    await pass(clock, 2_000, 200)
    const others = requests.filter(({ url }) => url.includes('other'))
    expect(others.map(idOf).toSorted()).toEqual([...ids].toSorted())
    expect(requests.length - others.length).toBe(32)
  })

  test('the delivery worker sends at most the configured requests per second to one host, and delivers to others meanwhile', async () => {
    const limits = { hostRequestsPerSecond: 10 }
    const { clock, requests, addDeliveries, startWorker } = world(() => 200, { limits })
    const ids = await addDeliveries({ url: 'https://victim.example/1' }, 20)
    ids.push(...(await addDeliveries({ url: 'https://victim.example/2' }, 20)))
    const others = await addDeliveries({ url: 'https://other.example' }, 10)
    startWorker()
    await pass(clock, 200, 200)
    const sent = (host: string) => requests.filter(({ url }) => url.includes(host)).map(idOf)
    expect(sent('other').toSorted()).toEqual([...others].toSorted())
    expect(sent('victim').length).toBeLessThanOrEqual(12)
    await pass(clock, 1_000, 200)
    expect(sent('victim').length).toBeLessThanOrEqual(22)
    await pass(clock, 4_000, 200)
    expect(sent('victim').toSorted()).toEqual(ids.toSorted())
  })

  test('the delivery worker fails the oldest pending deliveries of a webhook that has too many, and logs it', async () => {
    const { clock, stores, logged, addDeliveries, startWorker } = world(() => 500, { limits: { maxPending: 5 } })
    await addDeliveries({}, 12)
    startWorker()
    await pass(clock, 20_000, 200)
    const statuses = (await allDeliveries(stores)).map(({ status }) => status)
    expect(statuses).toEqual([...Array(7).fill('failed'), ...Array(5).fill('pending')])
    expect(logged).toContain('a webhook has too many pending deliveries, failed the oldest')
  })

  test('the delivery worker sends one request at a time to a receiver that fails', async () => {
    let open = 0
    let maxOpen = 0
    const { clock, addDeliveries, startWorker } = world(async () => {
      maxOpen = Math.max(maxOpen, ++open)
      await turns(2)
      open--
      return 500
    })
    await addDeliveries({}, 200)
    startWorker()
    await pass(clock, 400, 200)
    maxOpen = 0
    await pass(clock, 4_000, 200)
    expect(maxOpen).toBe(1)
  })

  test('the delivery worker claims a delivery again after the worker that claimed it crashed', async () => {
    const { clock, stores, requests, addDeliveries, startWorker } = world(() => 200)
    await addDeliveries({}, 1)
    await stores.transact((tx) => tx.deliveries.claim({ now: clock.now(), leaseMs: 60_000, limit: 1, except: [] }))
    startWorker()
    await pass(clock, 59_000, 200)
    expect(requests).toHaveLength(0)
    await pass(clock, 2_000, 200)
    expect(requests).toHaveLength(1)
  })

  test('the delivery worker records why there was no response', async () => {
    const { clock, stores, addDeliveries, startWorker } = world(() => 'timeout')
    await addDeliveries({}, 1)
    startWorker()
    await pass(clock, 1_000, 200)
    expect(await allDeliveries(stores)).toMatchObject([
      { status: 'pending', attempts: [{ status: null, error: 'timeout' }] },
    ])
  })

  test('the delivery worker waits as long as Retry-After asks', async () => {
    const { clock, requests, addDeliveries, startWorker } = world(() => 429, { retryAfter: '7200' })
    await addDeliveries({}, 1)
    startWorker()
    await pass(clock, 1_000, 200)
    await pass(clock, 2 * hourMs - 60_000)
    expect(requests).toHaveLength(1)
    await pass(clock, 120_000, 1_000)
    expect(requests).toHaveLength(2)
  })

  test('the delivery worker disables a webhook that responds 410, and fails its pending deliveries', async () => {
    const { clock, stores, logged, disabled, observed, addDeliveries, startWorker } = world(() => 410)
    await addDeliveries({}, 5)
    startWorker()
    await pass(clock, 1_000, 200)
    const [webhook] = await stores.read((view) => view.webhooks.list({}, { first: 'oldest', limit: 1 }))
    expect(webhook).toMatchObject({ enabled: false, disabledReason: 'gone' })
    expect((await allDeliveries(stores)).map(({ status }) => status)).toEqual(Array(5).fill('failed'))
    expect(disabled).toEqual(['webhook.disabled'])
    expect(logged).toEqual(['webhook disabled'])
    expect(observed).toContainEqual(['webhookDisabled', 'gone'])
    expect(observed).toContainEqual(['deliveryAttempted', expect.any(String), 0])
  })

  test.each<[string, Partial<WebhookRow>, Partial<EventRow>]>([
    ['a disabled webhook', { enabled: false }, {}],
    ['a webhook that may not receive the event', {}, { userId: 'usr_1' }],
  ])('the delivery worker sends nothing to %s, and fails its deliveries', async (_name, webhook, event) => {
    const { clock, stores, requests, addDeliveries, startWorker } = world(() => 200)
    await addDeliveries(webhook, 3, event)
    startWorker()
    await pass(clock, 1_000, 200)
    expect(requests).toEqual([])
    expect(await allDeliveries(stores)).toMatchObject([1, 2, 3].map(() => ({ status: 'failed', attempts: [] })))
  })

  test('the delivery worker delivers within a minute what waits for a time that a wrong clock set', async () => {
    const { clock, stores, requests, addDeliveries, startWorker } = world(() => 200)
    await addDeliveries({}, 2)
    const [late, wrong] = await allDeliveries(stores)
    const setDue = (delivery: DeliveryRow | undefined, nextAttemptAt: number) =>
      stores.transact(async (tx) => delivery && tx.deliveries.replace({ ...delivery, nextAttemptAt }))
    await setDue(late, clock.now() + 26 * hourMs)
    await setDue(wrong, clock.now() + 365 * 24 * hourMs)
    startWorker()
    await pass(clock, 61_000, 200)
    expect(requests.map(idOf)).toEqual([wrong?.eventId])
  })

  test('the delivery worker logs once that it cannot claim, and once that it can again', async () => {
    let isAvailable = false
    const { clock, logged, requests, addDeliveries, startWorker } = world(() => 200, {
      wrapStores: (stores) => ({
        ...stores,
        async transact(work, options) {
          if (!isAvailable) throw new FairleadError('SERVICE_UNAVAILABLE', 'The store is unavailable.')
          return stores.transact(work, options)
        },
      }),
    })
    await addDeliveries({}, 1)
    startWorker()
    await pass(clock, 120_000, 200)
    isAvailable = true
    await pass(clock, 5_000, 200)
    expect(requests).toHaveLength(1)
    expect(logged).toEqual(['could not claim webhook deliveries, retrying', 'could claim webhook deliveries again'])
  })

  test('the delivery worker leaves deliveries to a worker that can decrypt the secret of their webhook, and logs the webhook', async () => {
    const { clock, stores, requests, errors, addDeliveries, startWorker } = world(() => 200)
    await addDeliveries({}, 40)
    startWorker(false)
    await pass(clock, 50_000, 200)
    const left = await allDeliveries(stores)
    const [first] = left
    expect(left.every(({ status, attempts, tries }) => status === 'pending' && !attempts[0] && tries === 0)).toBe(true)
    expect(left.every(({ nextAttemptAt }) => nextAttemptAt! <= clock.now())).toBe(true)
    const message =
      'the secret keys of this node cannot decrypt the secret of a webhook, its deliveries are left to other nodes'
    expect(errors).toEqual([[{ webhookId: first?.webhookId }, message]])

    startWorker()
    await pass(clock, 60_000, 200)
    expect(new Set(requests.map(idOf)).size).toBe(40)
    expect(requests).toHaveLength(40)
    expect((await allDeliveries(stores)).every(({ status, tries }) => status === 'delivered' && tries === 1)).toBe(true)
  })

  test('the delivery worker counts failed attempts once no worker could decrypt the secret of the webhook for an hour', async () => {
    const { clock, stores, requests, errors, addDeliveries, startWorker } = world(() => 200)
    await addDeliveries({}, 1)
    startWorker(false)
    await pass(clock, hourMs - 1, 5_000)
    expect(await allDeliveries(stores)).toMatchObject([{ status: 'pending', attempts: [] }])
    await pass(clock, hourMs / 2, 5_000)
    const [late] = await allDeliveries(stores)
    expect(late!.attempts.map(({ error }) => error)).toEqual(['secret', 'secret', 'secret'])
    expect(late).toMatchObject({ status: 'pending', tries: 3 })
    await pass(clock, 5 * 24 * hourMs)
    expect(await allDeliveries(stores)).toMatchObject([{ status: 'failed', tries: 10 }])
    expect(requests).toEqual([])
    expect(errors.length).toBeGreaterThan(10)
  })

  test('the delivery worker logs an attempt that fails for a reason without a name', async () => {
    const { clock, stores, logged, addDeliveries, startWorker } = world(() => {
      throw new Error('a defect')
    })
    await addDeliveries({}, 1)
    startWorker()
    await pass(clock, 400, 200)
    expect(await allDeliveries(stores)).toMatchObject([{ attempts: [{ error: 'unknown' }] }])
    expect(logged).toEqual(['webhook delivery failed unexpectedly'])
  })

  test('the delivery worker forgets the failures of a webhook after a success', async () => {
    let status = 500
    const { clock, stores, addDeliveries, startWorker } = world(() => status)
    await addDeliveries({}, 1)
    startWorker()
    await pass(clock, 1_000, 200)
    status = 200
    await pass(clock, 6_000, 200)
    const [webhook] = await stores.read((view) => view.webhooks.list({}, { first: 'oldest', limit: 1 }))
    expect(webhook).toMatchObject({ failures: null, lastDeliveredAt: clock.now() - 1_800 })
  })

  test('the delivery worker leaves what it has not begun to another one at once when it stops', async () => {
    let isHanging = true
    const { clock, requests, addDeliveries, startWorker } = world(({ signal }) =>
      isHanging ? untilAborted(signal) : 204,
    )
    const ids = await addDeliveries({}, 20)
    const worker = startWorker()
    await pass(clock, 100, 10)
    expect(requests).toHaveLength(16)
    const stopped = worker.stop()
    isHanging = false
    await pass(clock, 5_000, 100)
    await stopped
    startWorker()
    await pass(clock, 100, 10)
    expect(new Set(requests.map(idOf))).toEqual(new Set(ids))
  })

  test('the delivery worker aborts requests that are still open five seconds after it was stopped', async () => {
    let aborted = false
    const { clock, addDeliveries, startWorker } = world(async ({ signal }) => {
      await untilAborted(signal)
      aborted = true
      return 'aborted'
    })
    await addDeliveries({}, 1)
    const worker = startWorker()
    await pass(clock, 400, 200)
    const stopped = worker.stop()
    await pass(clock, 5_000, 1_000)
    await stopped
    expect(aborted).toBe(true)
  })
})
