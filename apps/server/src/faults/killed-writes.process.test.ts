import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DataDirectory, dataDirectory } from '../testing/data-directory.ts'
import type { NodeResponse, NodeProcess } from '../testing/node-process.ts'
import { seeded } from '../testing/seeded.ts'

const postgres = await findPostgres()
const timeout = 240_000
/** `npm run fuzz` kills the node 20 times. */
const [total, kills] = process.env['FUZZ_RUNS'] ? [1_000, 20] : [100, 2]
const clients = 8
const origin = { name: 'Ada', street: '1 Quay', city: 'Hamburg', postal_code: '20457', country: 'DE' }
const destination = { name: 'Bo', street: '2 Pier', city: 'Oslo', postal_code: '0150', country: 'NO' }

const databases = {
  SQLite: () => dataDirectory(),
  ...(postgres !== undefined && { PostgreSQL: () => besidePostgres(postgres) }),
}

describe('an acknowledged write', () => {
  test.each(Object.entries(databases))(
    'an acknowledged write survives SIGKILL of the node, on %s',
    { timeout },
    async (_, open) => {
      const data = await open()
      const { token, keyId } = await data.addKey(100_000)
      const { node, acknowledged, unanswered } = await createThroughKills(data, token, somePoints(5))
      expect(unanswered.length).toBeGreaterThanOrEqual(kills)
      expect(acknowledged.length + unanswered.length).toBe(total)
      expect(readStatuses(acknowledged)).toEqual([201])
      const kept = await readStoredState(data, keyId)
      const stored = new Set(kept.shipments)
      expect(acknowledged.map(readId).filter((id) => !stored.has(id))).toEqual([])
      expectWhole(kept, unanswered.length)

      // A write without a response is stored or not. After a retry it is stored once.
      const again: NodeResponse[] = []
      for (const n of unanswered) again.push(await create(node, token, n))
      expect(readStatuses(again)).toEqual([201])
      const all = await readStoredState(data, keyId)
      expect(all.shipments).toEqual([...acknowledged, ...again].map(readId).toSorted())
      expectWhole(all, unanswered.length)
    },
  )
})

async function besidePostgres(server: string): Promise<DataDirectory> {
  const database = await createTestDatabase(server)
  onTestFinished(() => database.drop())
  return dataDirectory(database)
}

interface StoredState {
  /** The ids of the shipments, sorted, as are the others. */
  readonly shipments: readonly string[]
  /** The ids that the histories, the events and the kept answers belong to. */
  readonly histories: readonly string[]
  readonly events: readonly string[]
  readonly answers: number
  readonly charged: number
  readonly used: number
}

/** None has a part that another lacks. A write without a response may cost a unit that was reserved before it. */
function expectWhole({ shipments, histories, events, answers, charged, used }: StoredState, unanswered: number): void {
  expect(histories).toEqual(shipments)
  expect(events).toEqual(shipments)
  expect({ answers, charged }).toEqual({ answers: shipments.length, charged: shipments.length })
  expect(used).toBeGreaterThanOrEqual(shipments.length)
  expect(used).toBeLessThanOrEqual(shipments.length + unanswered)
}

async function readStoredState(data: DataDirectory, keyId: string): Promise<StoredState> {
  const shipments = await data.query<{ id: string; history: string }>('select id, history from shipments order by id')
  const events = await data.query<{ data: string }>("select data from events where type = 'shipment.created'")
  const number = async (statement: string) => Number((await data.query<{ number: unknown }>(statement))[0]?.number)
  return {
    shipments: shipments.map(({ id }) => id),
    histories: shipments
      .filter(({ history }) => /^\[{"status":"pending","at":\d+}\]$/.test(history))
      .map(({ id }) => id),
    events: events.map((event) => String(JSON.parse(event.data).id)).toSorted(),
    answers: await number('select count(*) as number from claims where outcome is not null'),
    charged: await number(
      "select count(*) as number from usage_records where operation = 'createShipment' and charged = 1",
    ),
    used: await number(`select sum(used) as number from counters where counter = '${keyId}'`),
  }
}

/** Clients create shipments. At each of the points the node is killed and started again, while the clients continue. */
async function createThroughKills(data: DataDirectory, token: string, points: ReadonlySet<number>) {
  const acknowledged: NodeResponse[] = []
  const unanswered: number[] = []
  let node = data.startNode()
  let sent = 0

  async function restart(running: NodeProcess): Promise<NodeProcess> {
    await running.kill()
    return data.startNode()
  }

  async function client(): Promise<void> {
    while (sent < total) {
      const n = sent++
      const asked = node.then((running) => create(running, token, n).catch(() => undefined))
      if (points.has(n)) node = node.then(restart)
      const answer = await asked
      // A node that is still starting may answer 503, which acknowledges nothing.
      if (answer && answer.status !== 503) acknowledged.push(answer)
      else unanswered.push(n)
    }
  }

  await Promise.all(Array.from({ length: clients }, client))
  return { node: await node, acknowledged, unanswered }
}

function create(node: NodeProcess, token: string, n: number): Promise<NodeResponse> {
  const shipment = { reference: `order-${n}`, origin, destination, parcels: [{ weight_kg: 1.5 }] }
  return node.post('/shipments', token, shipment, { 'idempotency-key': `create-${n}` })
}

function readStatuses(answers: readonly NodeResponse[]): readonly number[] {
  return [...new Set(answers.map(({ status }) => status))]
}

function readId({ bytes }: NodeResponse): string {
  return JSON.parse(new TextDecoder().decode(bytes)).data.id
}

function somePoints(seed: number): ReadonlySet<number> {
  const random = seeded(seed)
  const points = new Set<number>()
  while (points.size < kills) points.add(Math.floor(random() * total))
  return points
}
