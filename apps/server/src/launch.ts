import { join } from 'node:path'

const isSource = import.meta.filename.endsWith('.ts')

/**
 * The arguments for Node that run the service, as `npm start` runs it: a young generation and a heap that grow little save
 * memory, at a cost of processor time that the benchmarks do not show.
 */
export const nodeArguments: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=30',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
  ...(isSource ? ['--conditions=@fairlead/source'] : []),
  join(import.meta.dirname, isSource ? 'main.ts' : 'main.js'),
]
