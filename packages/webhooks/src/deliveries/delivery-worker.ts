import { maxClockSkewMs } from '@fairlead/core/stores'
import { type Job, createOutageLog, isUnavailable } from '@fairlead/core/feature'
import {
  type DeliveryContext,
  attemptDelivery,
  attemptTimeoutMs,
  failDelivery,
  releaseDelivery,
  settleDelivery,
} from './deliver.ts'
import { isSuccess, maxWaitMs, mayReceive } from './delivery-rules.ts'
import { failExcessDeliveries } from '../events/event-bounds.ts'
import { createHostLimits, readHost } from './host-limits.ts'
import { limitsFrom, type WebhookLimits } from '../webhook-limits.ts'
import { unreadable } from '../webhook-secrets.ts'
import type { ClaimedDelivery } from '../webhook-store.ts'

export interface DeliveryWorkerOptions extends DeliveryContext {
  /** Calls back when events were stored in this process. Returns how to stop. */
  onCommitted(listener: () => void): () => void
  /** Default: the defaults of `WebhookLimits`. */
  readonly limits?: WebhookLimits | undefined
}

/** How often to look for retries, and for deliveries that another worker left, in milliseconds. */
const pollMs = 5_000
/** How often webhooks that wait for a host are tried again, in milliseconds. */
const hostWaitMs = 200
/** How long other workers leave a claimed delivery alone. Longer than the timeout; after a crash, it is claimed again. */
const leaseMs = 60_000
/** How often to look for deliveries that wait until a time that a wrong clock set, in milliseconds. */
const expediteMs = 60_000
const claimSize = 32
/** The minimum time between two claims in milliseconds, so that one claims the events of several transactions. */
const minClaimIntervalMs = 10
/** Requests in flight for one webhook. One that fails gets one at a time, so that it takes no resources from others. */
const maxPerWebhook = 16
const maxInFlight = 256
const stopTimeoutMs = 5_000
/** How often the pending deliveries of a webhook that fails or is slow are counted at most, in milliseconds. */
const boundEveryMs = 10_000

/** How long this worker leaves the deliveries of a webhook to others after it could not decrypt its secret, in milliseconds. */
const leftToOthersMs = 60_000
/** How old a delivery may be to be left to others. After that, each try counts as a failed attempt. In milliseconds. */
const maxLeftToOthersMs = 3_600_000

/** The deliveries that this worker has claimed for one webhook. */
interface Queue {
  readonly waiting: ClaimedDelivery[]
  inFlight: number
  isFailing: boolean
  /** When its pending deliveries were last bounded, in milliseconds since the epoch. */
  boundedAt: number
}

/**
 * Delivers events to webhooks until it is stopped. Several workers may run on the same stores: each claims deliveries for
 * `leaseMs`, so that a delivery is sent twice only if a worker crashes. A webhook that responds slowly does not delay others,
 * because the worker stops claiming its deliveries while as many are in flight as it may have. The same holds for a host with
 * many webhooks.
 */
export function startDeliveries(options: DeliveryWorkerOptions): Required<Job> {
  const { stores, clock, log } = options
  const limits = limitsFrom(options.limits)
  const hosts = createHostLimits(clock, limits)
  const claims = createOutageLog(log, 'claim webhook deliveries')
  const queues = new Map<string, Queue>()
  /** Webhooks whose secret this worker cannot decrypt, and until when it leaves their deliveries to others. */
  const leftToOthers = new Map<string, number>()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let inFlight = 0
  let claiming: Promise<void> | undefined
  let claimAgain = false
  let claimedAt = 0
  let isStopped = false
  let cancelPoll = clock.schedule(0, poll)
  let cancelExpedite = clock.schedule(expediteMs, expedite)
  let cancelWake: (() => void) | undefined
  let cancelHostWait: (() => void) | undefined
  let retryAt = Infinity
  let cancelRetry = () => {}
  const stopListening = options.onCommitted(wakeSoon)

  function poll(): void {
    cancelPoll = clock.schedule(pollMs, poll)
    wake()
  }

  /** A limit per second recovers without a request that ends. */
  function waitForHosts(): void {
    cancelHostWait ??= clock.schedule(hostWaitMs, () => {
      cancelHostWait = undefined
      startWaiting(hosts.takeWaiting())
    })
  }

  function expedite(): void {
    cancelExpedite = clock.schedule(expediteMs, expedite)
    const now = clock.now()
    stores
      .transact((tx) => tx.deliveries.expedite(now + maxWaitMs + maxClockSkewMs, now), { durable: false })
      .catch((error: unknown) => {
        if (!isUnavailable(error)) log.warn({ error }, 'could not expedite webhook deliveries, retrying')
      })
  }

  /** The earliest time counts; later ones are found by the poll. */
  function wakeAt(at: number): void {
    if (isStopped || at >= retryAt) return
    cancelRetry()
    retryAt = at
    cancelRetry = clock.schedule(Math.max(0, at - clock.now()), () => {
      retryAt = Infinity
      wake()
    })
  }

  function wakeSoon(): void {
    if (isStopped || cancelWake) return
    const waitMs = minClaimIntervalMs - (clock.now() - claimedAt)
    if (waitMs <= 0) wake()
    else cancelWake = clock.schedule(Math.min(waitMs, minClaimIntervalMs), wake)
  }

  function wake(): void {
    cancelWake?.()
    cancelWake = undefined
    if (isStopped) return
    claimAgain = true
    claiming ??= claimAll().finally(() => (claiming = undefined))
  }

  const mayClaim = () => claimAgain && !isStopped && inFlight < maxInFlight

  async function claimAll(): Promise<void> {
    while (mayClaim()) {
      claimAgain = false
      claimedAt = clock.now()
      try {
        const claimed = await claim()
        claims.succeeded()
        for (const delivery of claimed) enqueue(delivery)
        if (claimed.length === claimSize) claimAgain = true
      } catch (error) {
        claims.failed(error)
      }
    }
  }

  function claim(): Promise<readonly ClaimedDelivery[]> {
    const now = clock.now()
    for (const [id, until] of leftToOthers) if (until <= now) leftToOthers.delete(id)
    const busy = [...queues].filter(([, queue]) => queue.waiting.length > 0 || !hasRoom(queue)).map(([id]) => id)
    const request = { now, leaseMs, limit: claimSize, except: [...busy, ...leftToOthers.keys()] }
    return stores.transact((tx) => tx.deliveries.claim(request), { durable: false })
  }

  const hasRoom = (queue: Queue) => !isStopped && queue.inFlight < (queue.isFailing ? 1 : maxPerWebhook)

  function enqueue(claimed: ClaimedDelivery): void {
    const { id } = claimed.webhook
    let queue = queues.get(id)
    if (!queue) queues.set(id, (queue = { waiting: [], inFlight: 0, isFailing: false, boundedAt: 0 }))
    queue.isFailing ||= claimed.webhook.failures !== null
    queue.waiting.push(claimed)
    startNext(id, queue)
  }

  function startNext(id: string, queue: Queue): void {
    while (hasRoom(queue)) {
      const [claimed] = queue.waiting
      if (!claimed) break
      // It waited so long that the attempt might outlast the lease. It is claimed again.
      const isLate = (claimed.delivery.nextAttemptAt ?? 0) - clock.now() < attemptTimeoutMs
      const host = readHost(claimed.webhook.url)
      if (!isLate && !hosts.start(host, id)) {
        waitForHosts()
        break
      }
      queue.waiting.shift()
      if (isLate) continue
      queue.inFlight++
      inFlight++
      const work = deliver(claimed, queue).finally(() => {
        queue.inFlight--
        inFlight--
        running.delete(work)
        startWaiting(hosts.end(host))
        startNext(id, queue)
        if (queue.waiting.length === 0) wakeSoon()
      })
      running.add(work)
    }
    if (queue.inFlight === 0 && queue.waiting.length === 0) queues.delete(id)
  }

  /** Starts deliveries of the webhooks that waited for a host. */
  function startWaiting(ids: readonly string[]): void {
    for (const id of ids) {
      const queue = queues.get(id)
      if (queue) startNext(id, queue)
    }
  }

  /** Only a webhook that fails or is slow can have many pending deliveries. */
  async function boundPending(id: string, queue: Queue): Promise<void> {
    const now = clock.now()
    if ((!queue.isFailing && queue.waiting.length === 0) || Math.abs(now - queue.boundedAt) < boundEveryMs) return
    queue.boundedAt = now
    await failExcessDeliveries(options, id, limits.maxPending)
  }

  /** Another node may have the secret key. The webhook of the delivery is logged, once while it is left alone. */
  function isLeftToOthers({ delivery, webhook: { id: webhookId } }: ClaimedDelivery): boolean {
    const now = clock.now()
    if (!leftToOthers.has(webhookId)) {
      leftToOthers.set(webhookId, now + leftToOthersMs)
      log.error(
        { webhookId },
        'the secret keys of this node cannot decrypt the secret of a webhook, its deliveries are left to other nodes',
      )
    }
    return Math.abs(now - delivery.createdAt) < maxLeftToOthersMs
  }

  async function deliver(claimed: ClaimedDelivery, queue: Queue): Promise<void> {
    try {
      if (!mayReceive(claimed)) return await failDelivery(options, claimed)
      const result = await attemptDelivery(options, claimed, stopping.signal)
      // The lease ends later, and another worker or the next start sends it again.
      if (stopping.signal.aborted && !isSuccess(result.attempt)) return
      if (result.attempt.error === unreadable && isLeftToOthers(claimed)) return await releaseDelivery(options, claimed)
      queue.isFailing = !isSuccess(result.attempt)
      const nextAttemptAt = await settleDelivery(options, claimed, result)
      if (nextAttemptAt !== null) wakeAt(nextAttemptAt)
      await boundPending(claimed.webhook.id, queue)
    } catch (error) {
      // During an outage, the failed claims are logged instead of each delivery.
      if (isUnavailable(error)) return
      log.warn({ deliveryId: claimed.delivery.id, error }, 'could not record a webhook delivery, it is sent again')
    }
  }

  /** Deliveries that were claimed and not begun are due for other workers at once, not when the lease ends. */
  async function releaseWaiting(): Promise<void> {
    const waiting = [...queues.values()].flatMap((queue) => queue.waiting.splice(0))
    await Promise.all(waiting.map((claimed) => releaseDelivery(options, claimed).catch(() => {})))
  }

  return {
    wake: wakeSoon,
    /** Resolves when the requests in flight have ended, or were aborted after five seconds. */
    async stop() {
      isStopped = true
      cancelPoll()
      cancelExpedite()
      cancelWake?.()
      cancelHostWait?.()
      cancelRetry()
      stopListening()
      const cancelAbort = clock.schedule(stopTimeoutMs, () => stopping.abort())
      await claiming
      await Promise.all(running)
      cancelAbort()
      await releaseWaiting()
    },
  }
}
