import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** The needs of a test: the word before `.test.ts` in its file name, and `unit` without one. In the order of a run. */
const kinds = ['unit', 'services', 'process', 'browser', 'fuzz', 'clients'] as const

/** Too slow for every change, or programs of others: they run if the command names a file or the project. */
const onRequest = new Set<string>(['fuzz', 'clients'])

/** Workers per core. These tests wait for databases and other programs for much of their time. */
const workersPerCore: Readonly<Record<string, number>> = { services: 2, process: 2 }

const folders = ['packages', 'apps', 'examples', 'scripts', 'bench']

/** The projects of vitest, one for each kind of test that the command line asks for. One starts after the other. */
export function projects(args: readonly string[]) {
  const all = kinds
    .filter(
      (kind) =>
        !onRequest.has(kind) || args.some((arg) => arg.includes(`.${kind}.test`) || arg === `--project=${kind}`),
    )
    .map((kind, groupOrder) => ({
      extends: true as const,
      test: {
        name: kind,
        include: folders.map((folder) => `${folder}/**/*${kind === 'unit' ? '' : `.${kind}`}.test.ts`),
        exclude: ['**/node_modules/**', ...(kind === 'unit' ? others() : [])],
        sequence: { groupOrder },
        maxWorkers: availableParallelism() * (workersPerCore[kind] ?? 1),
        ...(kind === 'browser' && { globalSetup: 'apps/dashboard/e2e/build-dashboard.ts' }),
      },
    }))
  return [...all, graphql16]
}

/** The tests of the GraphQL adapter again, with the oldest GraphQL that it allows. */
const graphql16 = {
  extends: true as const,
  resolve: { alias: { graphql: join(import.meta.dirname, '../../packages/graphql-adapter/node_modules/graphql-16') } },
  test: {
    name: 'graphql-16',
    include: ['packages/graphql-adapter/**/*.test.ts'],
    // Vite resolves only the imports of packages that it bundles.
    server: { deps: { inline: [/pothos/, /graphql-yoga/, /envelop/, /graphql-tools/, /whatwg-node/] } },
    sequence: { groupOrder: 0 },
  },
}

function others(): string[] {
  return kinds.filter((kind) => kind !== 'unit').map((kind) => `**/*.${kind}.test.ts`)
}
