import { flushCompileCache } from 'node:module'
import { local } from '@fairlead/provider-local'
import { destination } from 'pino'
import { readConfig } from '../config.ts'
import { start } from '../start.ts'

// The service as a process of its own, for tests that kill it. It sends its port to its parent, never outlives
// it, and warms nothing up: what a test doesn't ask for is not loaded. What it compiled, it leaves to the next at once:
// a killed one would leave nothing.
const { warmUp: _warmUp, ...cold } = local()
const { port } = await start(readConfig(process.env), {
  service: { name: 'Fairlead', version: 'test' },
  logTo: destination(2),
  loadProviders: async () => [cold],
})
flushCompileCache()
process.send?.({ port })
process.on('disconnect', () => process.exit(0))
