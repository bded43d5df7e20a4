import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { RunReporter } from './scripts/test/run-reporter.ts'
import { projects } from './scripts/test/projects.ts'
import { SlowFirst } from './scripts/test/slow-first.ts'

// Workers hand these to Node, for `require` too: `import` among them would give CommonJS the modules of ESM.
// `module-sync` is one of Node's own, for both: without it a package would be loaded twice, here and there.
const conditions = ['@fairlead/source', 'node', 'module-sync']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: projects(process.argv.slice(2)),
    // Files share a process, because loading core again for each took most of the time of the shorter ones.
    isolate: false,
    // The default leaves a core idle, which on two cores doubles the time.
    maxWorkers: '100%',
    // No test may depend on what another one left behind. Each run prints the seed of its order; TEST_SEED repeats it.
    sequence: {
      shuffle: true,
      sequencer: SlowFirst,
      ...(process.env.TEST_SEED ? { seed: Number(process.env.TEST_SEED) } : {}),
    },
    reporters: [new RunReporter()],
    silent: 'passed-only',
    slowTestThreshold: 5_000,
    // A program that a test starts loads its modules in half the time if an earlier one has compiled them.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'fairlead-compiled') },
    restoreMocks: true,
    // Against what hangs, not what is slow: other programs share the machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
