import { flushCompileCache } from 'node:module'
import { local } from '@fairlead/provider-local'
import { destination } from 'pino'
import { readConfig } from '../config.ts'
import { start } from '../start.ts'

// Runs the service in its own process, for tests that kill it. It sends its port to its parent, exits with it, and has no
// warm-up, so that only what a test uses is loaded. It writes the compile cache at once, because it may be killed.
const { warmUp: _warmUp, ...cold } = local()
const { port } = await start(readConfig(process.env), {
  service: { name: 'Fairlead', version: 'test' },
  logTo: destination(2),
  loadProviders: async () => [cold],
})
flushCompileCache()
process.send?.({ port })
process.on('disconnect', () => process.exit(0))
