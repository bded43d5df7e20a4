import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { jsonRequest, startProvider } from '../testing/cluster.ts'
import { runMain, temporaryFolder } from '../testing/run-main.ts'
import { folderWith } from '../testing/write-files.ts'

const server = await findPostgres()

/** A minute takes half a second in a node that imports this first. */
const shortMinutes = `
  const { setTimeout } = globalThis
  globalThis.setTimeout = (callback, ms, ...values) => setTimeout(callback, ms === 60_000 ? 500 : ms, ...values)
`

const config = (url: string, route: string, target = 'upstream/echo') =>
  JSON.stringify({
    providers: [{ use: 'openai-compatible', id: 'upstream', baseUrl: url }],
    routes: { [route]: { targets: [target] } },
  })

/** A node with a separate configuration file. */
async function startNode(data: string, databaseUrl: string, provider: string, workers: string) {
  const folder = folderWith({
    'fairlead.config.json': config(provider, 'before'),
    'short-minutes.mjs': shortMinutes,
  })
  const main = runMain(
    {
      DATABASE_URL: databaseUrl,
      FAIRLEAD_PROVIDERS: 'auto',
      FAIRLEAD_DATA_DIR: data,
      FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
      FAIRLEAD_WORKERS: workers,
      NODE_OPTIONS: `--import=${join(folder, 'short-minutes.mjs')}`,
    },
    folder,
  )
  const url = await main.url
  const post = async (path: string, token: string, body: object = {}) => {
    const reply = await fetch(url + path, jsonRequest(token, body))
    return { status: reply.status, data: ((await reply.json()) as { readonly data: Record<string, unknown> }).data }
  }
  return {
    main,
    post,
    /** The statuses of several calls, which several processes answer. */
    async ask(token: string, route: string) {
      const replies = Array.from({ length: 8 }, () => post('/generate', token, { model: route, prompt: 'Hi' }))
      return new Set((await Promise.all(replies)).map(({ status }) => status))
    },
    write: (text: string) => writeFileSync(join(folder, 'fairlead.config.json'), text),
    async reloadedAt(token: string) {
      const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
      return /^fairlead_reload_timestamp_seconds (\S+)/m.exec(await reply.text())?.[1]
    },
  }
}

describe.skipIf(!server)('POST /admin/reload on one of two nodes', () => {
  test('POST /admin/reload on one of two nodes reloads all processes of both, and each logs how it went', async () => {
    const created = await createTestDatabase(server!)
    onTestFinished(() => created.drop())
    const { url } = await startProvider()
    const data = temporaryFolder()
    const here = await startNode(data, created.url, url, '1')
    const there = await startNode(data, created.url, url, '2')
    const nodes = [here, there]
    const [, token = ''] = /^ {2}(fl_\w{49})$/m.exec(here.main.firstLogin) ?? []
    for (const node of nodes) node.write(config(url, 'after'))
    const { status, data: report } = await here.post('/admin/reload', token)
    expect([status, report['other_nodes_within_seconds']]).toEqual([200, 60])
    for (const node of nodes) {
      await expect.poll(() => node.ask(token, 'after')).toEqual(new Set([200]))
      await expect.poll(() => node.ask(token, 'before')).toEqual(new Set([400]))
    }
    expect(there.main.output).toMatch(/"trigger":"another node",.*"configuration reloaded"/)
    await expect.poll(() => here.reloadedAt(token)).toMatch(/^\d{10}/)
    await expect.poll(() => there.reloadedAt(token)).toBe(await here.reloadedAt(token))
    expect(here.main.output).not.toContain('another node')

    there.write(config(url, 'after', 'upstream'))
    await here.post('/admin/reload', token)
    await expect
      .poll(() => there.main.output)
      .toMatch(/"trigger":"another node",.*configuration invalid, nothing changed/)
    expect(await there.ask(token, 'after')).toEqual(new Set([200]))
    await expect.poll(() => here.reloadedAt(token)).not.toBe(await there.reloadedAt(token))
  })
})
