import { join } from 'node:path'

const isSource = import.meta.filename.endsWith('.ts')

/**
 * The arguments for Node that run the service. The first four save memory and processor time, as
 * docs/performance.md says.
 */
export const nodeArguments: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=30',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
  ...(isSource ? ['--conditions=@fairlead/source'] : []),
  join(import.meta.dirname, isSource ? 'main.ts' : 'main.js'),
]
