import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findRedis } from '@fairlead/cache/testing'
import { breakableLink, findPostgres, freePort, startS3Server } from '@fairlead/storage/testing'
import { eventsIn } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Cluster,
  dollarModel,
  generate,
  jsonRequest,
  keepDoing,
  startCluster,
  fetchStatus,
} from '../testing/cluster.ts'
import { findChildren, type MainProcess } from '../testing/run-main.ts'

const server = await findPostgres()
const canRun = server !== undefined && findRedis()
/** A release tests streams and stalls of more than a minute. */
const isLong = Number(process.env['FUZZ_RUNS'] ?? 0) > 200
const lanes = 4

const picture = {
  id: 'picture',
  type: 'image',
  name: 'Picture',
  description: 'Draws.',
  maxTokens: 1_000,
  sizes: ['1024x1024'],
}

/** Three nodes, and a key whose every answer costs a dollar. */
async function threeNodes(variables: Readonly<Record<string, string>> = {}, facts: object = {}) {
  const cluster = await startCluster(server!, { upstream: { models: [dollarModel, picture] }, variables })
  const key = await cluster.addKey(1_000_000, 0, { budgetUsd: 1_000_000, ...facts })
  return { cluster, ...key }
}

/**
 * Once what was queued is written: the units are as many as the usage records, and as the answers and the streams that were
 * cut off; what was spent is what the records cost, a dollar for each answer.
 */
async function expectCounts(cluster: Cluster, keyId: string, answers: number, cutOff = 0) {
  const charged = answers + cutOff
  const count = async () => {
    const [counts] = await cluster.query(`
      select (select sum(used)::int from counters where counter = '${keyId}') as units,
        count(*) filter (where charged = 1)::int as charged,
        count(*) filter (where outcome = 'ok')::int as answered,
        sum(cost_usd) filter (where outcome = 'ok')::float as paid,
        sum(cost_usd)::float - (select sum(spent / 1e8)::float from spend) as missing,
        (select sum(reserved)::int from spend) as reserved
      from usage_records where counter = '${keyId}'`)
    return counts
  }
  await expect
    .poll(count, { timeout: 20_000 })
    .toEqual({ units: charged, charged, answered: answers, paid: answers, missing: 0, reserved: 0 })
}

/** Asks for a stream. Resolves to its last event, and whether that has all pieces of the text. */
async function stream(url: string, token: string, prompt: string) {
  const reply = await fetch(`${url}/generate`, jsonRequest(token, { model: 'upstream/echo', prompt, stream: true }))
  const events = eventsIn(await reply.text())
  const pieces = events.filter(({ event }) => event === 'chunk').map(({ data }) => data.content)
  const { event, data } = events.at(-1) ?? {}
  return event === 'done' && data.data.content === pieces.join('') ? 'whole' : { event, message: data?.error?.message }
}

/** How many calls wait for the provider. */
const waiting = ({ prompts }: Cluster) => prompts.filter((prompt) => prompt === 'wait').length

/** Lets sessions that begin from now on only read, or write again. */
async function setReadOnly({ query }: Cluster, setting: 'on' | 'off') {
  const [{ name } = { name: '' }] = await query<{ name: string }>('select current_database() as name')
  await query(`begin read write; alter database ${name} set default_transaction_read_only = ${setting}; commit`)
}

/** Ends the sessions of now, each between two of its transactions: whether they were committed is known. */
async function endSessions({ query }: Cluster) {
  const [{ now } = { now: '' }] = await query<{ now: string }>('select clock_timestamp()::text as now')
  const older = `datname = current_database() and backend_start < '${now}'`
  const countOlder = async () => {
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle' and ${older}`)
    return query(`select from pg_stat_activity where ${older}`)
  }
  await expect.poll(countOlder).toHaveLength(0)
}

describe.skipIf(!canRun)('three nodes', () => {
  test('three nodes serve within seconds after PostgreSQL was read-only, and charge each answer once', async () => {
    const { cluster, token, keyId } = await threeNodes()
    const call = () => generate(cluster, token, 'hi')
    const turnReadOnly = async () => {
      await expect.poll(() => cluster.prompts.length).toBeGreaterThan(20)
      await setReadOnly(cluster, 'on')
      await endSessions(cluster)
      await expect.poll(() => cluster.get('/readyz')).toBe(503)
      await setReadOnly(cluster, 'off')
      for (const node of cluster.nodes) {
        const url = await node.url
        await expect.poll(() => fetchStatus(`${url}/readyz`), { timeout: 10_000 }).toBe(200)
      }
      const before = cluster.prompts.length
      await expect.poll(() => cluster.prompts.length, { timeout: 5_000 }).toBeGreaterThan(before + 20)
    }
    const { 200: answers = 0, 503: _refused, ...others } = await keepDoing(lanes, call, turnReadOnly())
    expect(others).toEqual({})
    await expectCounts(cluster, keyId, answers)
  })

  test('three nodes that are restarted one after the other end every stream whole', async () => {
    const seconds = isLong ? 70 : 2
    const { cluster, token, keyId } = await threeNodes({ FAIRLEAD_DRAIN_TIMEOUT: String(seconds + 30) })
    const streams: Promise<unknown>[] = []
    const roll = async () => {
      for (const node of cluster.nodes) {
        for (let n = 0; n < 6; n++) streams.push(stream(cluster.url, token, 'wait'))
        await expect.poll(() => waiting(cluster)).toBe(streams.length)
        const restarted = cluster.restart(node)
        await pause(seconds * 1_000)
        cluster.answerWaiting()
        await restarted
      }
    }
    const statuses = await keepDoing(lanes, () => generate(cluster, token, 'hi'), roll())
    expect(statuses).toEqual({ 200: expect.any(Number) })
    expect(await Promise.all(streams)).toEqual(streams.map(() => 'whole'))
    await expectCounts(cluster, keyId, statuses['200']! + streams.length)
  })

  test('three nodes of which one stops for less time than its streams take end these with an error, log and count them', async () => {
    const { cluster, token, keyId } = await threeNodes()
    const [first, second] = cluster.nodes
    const metrics = `127.0.0.1:${await freePort()}`
    cluster.setVariables({ FAIRLEAD_DRAIN_TIMEOUT: '1', FAIRLEAD_METRICS_ADDRESS: metrics })
    const node = await cluster.restart(first!)
    const cut = [1, 2, 3].map(async () => stream(await node.url, token, 'wait'))
    const whole = [1, 2, 3].map(async () => stream(await second!.url, token, 'wait'))
    await expect.poll(() => waiting(cluster)).toBe(6)
    // The node waits a little for this request, so that its metrics can be read.
    const { hostname, port } = new URL(await node.url)
    const unfinished = connect(Number(port), hostname).on('error', () => {})
    unfinished.write('GET / HTTP/1.1\r\n')
    node.signal('SIGTERM')
    const counted = async () => (await fetch(`http://${metrics}/metrics`)).text()
    await expect.poll(counted).toContain('fairlead_calls_ended_by_stop_total 3')
    const message = 'The service stopped during the call. Send it again.'
    expect(await Promise.all(cut)).toEqual(cut.map(() => ({ event: 'error', message })))
    expect(await node.end).toBe(0)
    const lines = node.output.split('\n').filter((line) => line.includes('FAIRLEAD_DRAIN_TIMEOUT'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, calls: 3 }])
    cluster.answerWaiting()
    expect(await Promise.all(whole)).toEqual(whole.map(() => 'whole'))
    await expectCounts(cluster, keyId, whole.length, cut.length)
  })

  test('three nodes hand out the answers and streams that end while the database is away, and record them after', async () => {
    const { cluster, token, keyId } = await threeNodes()
    const calls = Array.from({ length: 30 }, () => generate(cluster, token, 'wait'))
    const streams = Array.from({ length: 30 }, () => stream(cluster.url, token, 'wait'))
    await expect.poll(() => waiting(cluster)).toBe(60)
    const away = pause(2_000)
    cluster.database.cut()
    cluster.answerWaiting()
    expect(await Promise.all(calls)).toEqual(calls.map(() => 200))
    expect(await Promise.all(streams)).toEqual(streams.map(() => 'whole'))
    await away
    cluster.database.restore()
    await expectCounts(cluster, keyId, 60)
  })

  test.skipIf(!isLong)(
    'three nodes of which one stalls for over a minute lose no request on an idle connection',
    async () => {
      const { cluster, token, keyId } = await threeNodes()
      const [node] = cluster.nodes
      const url = await node!.url
      const agent = new Agent({ keepAlive: true })
      onTestFinished(() => agent.destroy())
      const ask = () => askOver(agent, url, token)
      const connections = 20
      expect(await Promise.all(Array.from({ length: connections }, ask))).toEqual(Array(connections).fill('200'))
      node!.signal('SIGSTOP')
      const asked = Array.from({ length: connections }, ask)
      // Node closes idle connections a second after 65.
      await pause(68_000)
      node!.signal('SIGCONT')
      expect(await Promise.all(asked)).toEqual(Array(connections).fill('200 again'))
      await expectCounts(cluster, keyId, 2 * connections)
    },
  )

  test.runIf(existsSync('/proc/self/task'))(
    'three nodes of which one has a worker that hangs replace it, and no counter falls',
    async () => {
      const { cluster, token, keyId } = await threeNodes()
      const metrics = `127.0.0.1:${await freePort()}`
      cluster.setVariables({ FAIRLEAD_WORKERS: '2', FAIRLEAD_METRICS_ADDRESS: metrics })
      const node = await cluster.restart(cluster.nodes[0]!)
      const call = () => generate(cluster, token, 'hi')
      const before = await Promise.all(Array.from({ length: 60 }, call))
      expect(before).toEqual(before.map(() => 200))

      const counts: number[] = []
      const scrape = async () => {
        // The worker that hangs may be given one connection.
        const signal = AbortSignal.timeout(5_000)
        const scraped = await fetch(`http://${metrics}/metrics`, { signal }).then(
          (reply) => reply.text(),
          () => '',
        )
        const [, count] = /^fairlead_model_calls_total\{.*\} (\d+)$/m.exec(scraped) ?? []
        if (count !== undefined) counts.push(Number(count))
      }
      await scrape()
      // The first has started, and runs the jobs.
      const [hung = 0] = findChildren(node.pid)
      process.kill(hung, 'SIGSTOP')
      const watch = async () => {
        const replaced = async () => {
          await scrape()
          return findChildren(node.pid).filter((pid) => pid !== hung)
        }
        await expect.poll(replaced, { timeout: 120_000 }).toHaveLength(2)
      }
      const statuses = await keepDoing(lanes, call, watch())
      expect(statuses).toEqual({ 200: expect.any(Number) })
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
      expect(counts.length).toBeGreaterThan(5)
      await expectCounts(cluster, keyId, before.length + statuses['200']!)
    },
  )

  test('three nodes of which one is a day ahead spend a budget of a day once', async () => {
    const { cluster, token, keyId } = await threeNodes({}, { budgetUsd: 60, budgetPeriod: 'day' })
    cluster.setVariables({ NODE_OPTIONS: `--import=${join(import.meta.dirname, '../testing/day-ahead.ts')}` })
    const ahead = await cluster.restart(cluster.nodes[0]!)
    const ask = () => cluster.post('/generate', token, { model: 'upstream/echo', prompt: 'hi', max_tokens: 1 })
    const statuses: Record<number, number> = {}
    const lane = async () => {
      for (let n = 0; n < 20; n++) {
        const status = await ask()
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    expect(statuses).toEqual({ 200: 60, 429: 20 })
    await expectCounts(cluster, keyId, 60)
    expect(ahead.output).toContain('the clock of this machine differs from that of the database')
  })

  test('three nodes start while S3 is away, and refuse images alone until it is back', async () => {
    const { bucket, endpoint, credentials } = await startS3Server()
    const s3 = await breakableLink(endpoint)
    onTestFinished(() => s3.close())
    const { cluster, token, keyId } = await threeNodes({
      FAIRLEAD_S3_BUCKET: bucket,
      FAIRLEAD_S3_ENDPOINT: s3.url,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })
    const artist = await cluster.addKey(1_000)
    const draw = async (node: MainProcess) =>
      fetchStatus(
        `${await node.url}/generate/image`,
        jsonRequest(artist.token, { model: 'upstream/picture', prompt: 'a boat' }),
      )
    s3.cut()
    const nodes = await Promise.all(cluster.nodes.map((node) => cluster.restart(node)))
    const calls = await Promise.all(Array.from({ length: 30 }, () => generate(cluster, token, 'hi')))
    expect(calls).toEqual(calls.map(() => 200))
    expect(await Promise.all(nodes.map(draw))).toEqual([503, 503, 503])
    s3.restore()
    for (const node of nodes) await expect.poll(() => draw(node), { timeout: 30_000 }).toBe(200)
    await expectCounts(cluster, keyId, calls.length)
  })
})

/** Sends a call on a kept connection, if there is one. Resolves to the status, or the error. */
async function askOver(agent: Agent, url: string, token: string): Promise<string> {
  const { method, headers, body } = jsonRequest(token, { model: 'upstream/echo', prompt: 'hi' })
  const asking = request(`${url}/generate`, { agent, method, headers: headers as Record<string, string> })
  asking.end(body)
  try {
    const [reply] = await once(asking, 'response')
    reply.resume()
    await once(reply, 'end')
    return `${reply.statusCode}${asking.reusedSocket ? ' again' : ''}`
  } catch (error) {
    return String(error)
  }
}
