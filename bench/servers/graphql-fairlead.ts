import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@fairlead/server/config'
import { logDestination } from '@fairlead/server/logging'
import { start } from '@fairlead/server/start'
import { generate, reportUsage } from './report-usage.ts'
import { tenModels } from './ten-models.ts'

/** The service as operators run it: authentication, quota in the store, usage records, and a log line for each request. */
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const { port, firstAdmin } = await start(readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: directory }), {
  service: { name: 'Fairlead', version: 'bench' },
  logTo: logDestination(join(directory, 'requests.log')),
  loadProviders: async () => [tenModels],
})
reportUsage(port, generate(firstAdmin?.apiKey))
