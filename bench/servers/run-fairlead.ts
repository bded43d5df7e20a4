import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Provider } from '@fairlead/core/provider'
import { readConfig } from '@fairlead/server/config'
import { logDestination } from '@fairlead/server/logging'
import { start } from '@fairlead/server/start'
import { generate, reportUsage } from './report-usage.ts'

/** The service as users run it: authentication, durable quota, usage records and a log line for each request. */
export async function runFairlead(provider: Provider): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'fairlead-bench-'))
  process.on('exit', () => void rm(directory, { recursive: true, force: true }))
  const config = readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: directory })
  const { port, firstAdmin } = await start(config, {
    service: { name: 'Fairlead', version: 'bench' },
    logTo: logDestination(join(directory, 'requests.log')),
    loadProviders: async () => [provider],
  })
  reportUsage(port, generate(firstAdmin?.apiKey))
}
