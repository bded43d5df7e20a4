import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Provider } from '@fairlead/core/provider'
import { readConfig } from '@fairlead/server/config'
import { logDestination } from '@fairlead/server/logging'
import { start } from '@fairlead/server/start'
import { type Ask, generate, reportUsage } from './report-usage.ts'

/** API keys that take turns in a load of many users. */
export const keyCount = 64

/** The service as operators run it: authentication, quota in the store, usage records, and a log line for each request. */
export async function runFairlead(
  providers: readonly Provider[],
  ask: (apiKey?: string) => Ask = generate,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  const config = readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: directory })
  const { port, firstAdmin } = await start(config, {
    service: { name: 'Fairlead', version: 'bench' },
    logTo: logDestination(join(directory, 'requests.log')),
    loadProviders: async () => providers,
  })
  const keys = [firstAdmin?.apiKey ?? '']
  while (keys.length < keyCount) keys.push(await createKey(port, keys[0]!))
  reportUsage(port, { ...ask(keys[0]), keys })
}

/** Creates a key of the owner of another key. */
export async function createKey(port: number, ownKey: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { data } = (await response.json()) as { readonly data: { readonly secret: string } }
  return data.secret
}
