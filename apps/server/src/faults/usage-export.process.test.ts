import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dataDirectory, type DataDirectory } from '../testing/data-directory.ts'
import { type NodeProcess, startNode } from '../testing/node-process.ts'
import { temporaryFolder } from '../testing/run-main.ts'
import { seeded } from '../testing/seeded.ts'

const server = await findPostgres()
/** `npm run fuzz` kills more often. */
const { size, kills } = process.env['FUZZ_RUNS'] ? { size: 3, kills: 12 } : { size: 2, kills: 2 }

interface Exporters {
  readonly data: DataDirectory
  readonly nodes: NodeProcess[]
  start(): Promise<NodeProcess>
  /** The ids of all lines, in the order of the files. */
  lines(): readonly string[]
  /** The ids of all records. */
  records(): Promise<readonly string[]>
}

/** Nodes that export to one folder every second, as often as they can. */
async function exporters(
  count: number,
  data: DataDirectory,
  settings: Record<string, string> = {},
): Promise<Exporters> {
  const folder = temporaryFolder()
  const start = () =>
    startNode(data.path, {
      FAIRLEAD_USAGE_EXPORT: `file:${folder}`,
      FAIRLEAD_USAGE_EXPORT_INTERVAL: '1',
      ...settings,
    })
  const nodes: NodeProcess[] = []
  for (let index = 0; index < count; index++) nodes.push(await start())
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.kill()))))
  const read = (path: string) => gunzipSync(readFileSync(join(folder, path))).toString()
  return {
    data,
    nodes,
    start,
    lines: () =>
      globSync('date=*/*.ndjson.gz', { cwd: folder })
        .toSorted()
        .flatMap((path) => read(path).trimEnd().split('\n'))
        .map((line) => (JSON.parse(line) as { readonly id: string }).id),
    records: async () =>
      (await data.query<{ run_id: string }>('select run_id from usage_records')).map(({ run_id: id }) => id),
  }
}

/** Sends requests to all nodes, and kills and starts one again and again in between. */
async function whileKilled({ data, nodes, start }: Exporters, random: () => number): Promise<void> {
  const { token } = await data.addKey(1_000_000)
  const done = new AbortController()
  const send = async (lane: number) => {
    while (!done.signal.aborted) {
      const node = nodes[lane % nodes.length]!
      await node.post('/generate', token, { model: 'mirror', prompt: 'hi' }).catch(() => undefined)
    }
  }
  const lanes = Array.from({ length: 6 }, (_, index) => send(index))
  for (let kill = 0; kill < kills; kill++) {
    const victim = Math.floor(random() * nodes.length)
    const before = (await data.query('select 1 from usage_records')).length
    const wanted = before + 50 + Math.floor(random() * 300)
    await expect
      .poll(() => data.query('select 1 from usage_records'), { timeout: 60_000 })
      .toSatisfy((rows: readonly unknown[]) => rows.length > wanted)
    await nodes[victim]!.kill()
    nodes[victim] = await start()
  }
  done.abort()
  await Promise.all(lanes)
}

/** A batch of a killed node is left alone for 15 seconds. */
async function expectEachRecordOnce({ lines, records }: Exporters): Promise<void> {
  const stored = (await records()).toSorted()
  await expect.poll(() => lines().toSorted(), { timeout: 60_000, interval: 500 }).toEqual(stored)
}

describe('exported usage', () => {
  test.skipIf(!server)(
    'exported usage has each record in one line, however often nodes on PostgreSQL are killed',
    async () => {
      const database = await createTestDatabase(server!)
      onTestFinished(() => database.drop())
      const data = await dataDirectory(database)
      const settings = { DATABASE_URL: database.url, FAIRLEAD_SECRET_KEY: 'k'.repeat(32) }
      const all = await exporters(size, data, settings)
      await whileKilled(all, seeded(7))
      await expectEachRecordOnce(all)
    },
  )

  test('exported usage has each record in one line, however often a node on SQLite is killed', async () => {
    const all = await exporters(1, await dataDirectory())
    await whileKilled(all, seeded(8))
    await expectEachRecordOnce(all)
  })
})
