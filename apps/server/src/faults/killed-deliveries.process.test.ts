import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import { shipmentInput } from '@fairlead/testing'
import { type WebhookEvent, verifyWebhook } from '@fairlead/webhooks/verify'
import { postgresStores, sqliteStores } from '@fairlead/storage'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { dataDirectory } from '../testing/data-directory.ts'
import { seeded } from '../testing/seeded.ts'

const secretKey = 'killed-deliveries-secret-key-0123456789'
/** The leases of a killed worker have ended by the clock of the next one. */
const leaseMs = 61_000
/** The clocks of later workers are ahead. */
const toleranceSeconds = 3_600
/** Requests that a worker may have in flight for one webhook when it is killed. */
const maxInFlight = 16

const [kills, events] = process.env['FUZZ_RUNS'] ? [20, 1_000] : [2, 100]

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

/** A receiver on another port that verifies each event. */
async function openReceiver() {
  const received: string[] = []
  const problems: unknown[] = []
  const waiting = new Set<{ readonly count: number; resolve(): void }>()
  let secret = ''
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    try {
      const event: WebhookEvent = verifyWebhook(request.headers, Buffer.concat(chunks), secret, { toleranceSeconds })
      received.push(`${request.headers['webhook-id']} ${event.type}`)
    } catch (error) {
      problems.push(error)
    }
    response.writeHead(204).end()
    for (const each of waiting) if (received.length >= each.count) each.resolve()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  return {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    received,
    problems,
    expectSecret: (value: string) => void (secret = value),
    /** Resolves when that many requests were received. */
    count: (count: number) =>
      new Promise<void>((resolve) => {
        if (received.length >= count) resolve()
        else waiting.add({ count, resolve })
      }),
  }
}

/** Stores events for one webhook, and returns their ids. */
async function storeEvents(target: string, receiver: Awaited<ReturnType<typeof openReceiver>>) {
  const stores = target.startsWith('postgres:')
    ? await postgresStores({ url: target })
    : await sqliteStores({ path: target })
  const fairlead = createFairlead({
    providers: [],
    stores,
    secretKeys: { current: secretKey },
    features: [accounts(), shipments(), webhooks({ allowNetworks: ['127.0.0.1'] })],
  })
  onTestFinished(() => fairlead.core.close())
  const { secret } = await fairlead.webhooks.create({ url: receiver.url, events: ['shipment.created'] })
  receiver.expectSecret(secret)
  for (let n = 0; n < events; n++) await fairlead.shipments.create(shipmentInput(`order-${n}`))
  const ids: string[] = []
  for (let cursor: string | undefined, more = true; more;) {
    const { data, meta } = await fairlead.events.list.withMeta({ type: 'shipment.created', limit: 100, cursor })
    ids.push(...data.map(({ id }) => `${id} shipment.created`))
    cursor = meta.page?.nextCursor ?? undefined
    more = cursor !== undefined
  }
  return ids
}

function startWorker(target: string, aheadMs: number): ChildProcess {
  return fork(new URL('../testing/deliver-webhooks.ts', import.meta.url), [target, secretKey, String(aheadMs)], {
    execArgv: ['--conditions=@fairlead/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe('webhook deliveries', () => {
  test(`webhook deliveries arrive at least once although the worker is killed ${kills} times`, async () => {
    const target = join((await dataDirectory()).path, 'fairlead.db')
    const receiver = await openReceiver()
    const ids = await storeEvents(target, receiver)
    const random = seeded(7)

    let aheadMs = 0
    for (let n = 0; n < kills; n++, aheadMs += leaseMs) {
      const worker = startWorker(target, aheadMs)
      await receiver.count(receiver.received.length + 1 + Math.floor((random() * events) / kills / 1.5))
      await kill(worker)
    }
    const last = startWorker(target, aheadMs)
    await expect.poll(() => new Set(receiver.received).size).toBe(events)
    await kill(last)

    expect(receiver.problems).toEqual([])
    expect(new Set(receiver.received)).toEqual(new Set(ids))
    expect(receiver.received.length).toBeLessThanOrEqual(events + kills * maxInFlight)
  })

  test.skipIf(!database)('webhook deliveries arrive exactly once from two workers on PostgreSQL', async () => {
    await database!.empty()
    const receiver = await openReceiver()
    const ids = await storeEvents(database!.url, receiver)
    const workers = [startWorker(database!.url, 0), startWorker(database!.url, 0)]
    await receiver.count(events)
    await Promise.all(workers.map(kill))
    expect(receiver.problems).toEqual([])
    expect(receiver.received.toSorted()).toEqual(ids.toSorted())
  })
})
