import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@fairlead/core'
import { addTestCaller } from '@fairlead/testing'
import { local } from '@fairlead/provider-local'
import { readConfig } from '@fairlead/server/config'
import { logDestination } from '@fairlead/server/logging'
import { start } from '@fairlead/server/start'
import { sqliteStores } from '@fairlead/storage'
import { generate, reportUsage } from './report-usage.ts'
import { createKey, keyCount } from './run-fairlead.ts'

const user = { tier: 'enterprise', quotaLimit: 1_000_000_000 } as const

/** The service as operators run it, with its embedded models. Webhooks may point to this machine. */
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const [first, ...others] = await addUsers(join(directory, 'fairlead.db'))
const { port } = await start(
  readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: directory, FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1' }),
  {
    service: { name: 'Fairlead', version: 'bench' },
    logTo: logDestination(join(directory, 'requests.log')),
    loadProviders: async () => [local()],
    // All events go to one receiver, as fast as it takes them.
    file: { path: '', name: 'bench', config: { webhooks: { maxPerHost: 256, hostRequestsPerSecond: 100_000 } } },
  },
)
// As many keys of the first user as there are other users, each with one key.
const keys = [first!]
while (keys.length < keyCount) keys.push(await createKey(port, first!))
const { path, headers, body } = generate(first)
reportUsage(port, { path, headers, body: { ...body, model: 'mirror' }, keys: [...keys, ...others] })

/** Adds users with a key each, and returns the keys. */
async function addUsers(database: string): Promise<readonly string[]> {
  const stores = await sqliteStores({ path: database })
  const tokens: string[] = []
  while (tokens.length <= keyCount) {
    tokens.push((await addTestCaller(stores, systemClock, { user })).credentials.token)
  }
  await stores.close()
  return tokens
}
