/** What each shelf of core may import, besides itself. Arrows point inwards; shelves of one level don't know each other. */
export const shelves: Readonly<Record<string, readonly string[]>> = {
  operations: ['runtime', 'inference', 'quota', 'access', 'delivery', 'ports', 'values'],
  runtime: ['inference', 'quota', 'access', 'delivery', 'ports', 'values'],
  inference: ['ports', 'values'],
  quota: ['ports', 'values'],
  access: ['ports', 'values'],
  delivery: ['ports', 'values'],
  jobs: ['ports', 'values'],
  memory: ['ports', 'values'],
  ports: ['values'],
  values: [],
}

/** All that core may import from outside: small libraries and built-ins that need no file, socket or database. */
export const coreNeeds: readonly string[] = [
  'zod',
  'lru-cache',
  'fastest-levenshtein',
  'node:async_hooks',
  'node:buffer',
  'node:crypto',
  'node:events',
  'node:perf_hooks',
  'node:timers',
  'node:timers/promises',
  'node:url',
  'node:util',
  'node:zlib',
]

/** Which packages of the house a folder may import; the longest folder that fits counts. */
export const neighbours: Readonly<Record<string, 'all' | readonly string[]>> = {
  '': 'all',
  packages: ['@fairlead/core'],
  'packages/core': [],
  'packages/rest-adapter': ['@fairlead/core', '@fairlead/node-http'],
  'packages/graphql-adapter': ['@fairlead/core', '@fairlead/node-http'],
  'packages/providers': ['@fairlead/core', '@fairlead/provider-http', '@fairlead/provider-catalogue'],
  'apps/dashboard': [],
}

/** Drivers, and the only folder that may import them. */
export const databaseDrivers: readonly string[] = ['kysely', 'node:sqlite', 'pg', 'better-sqlite3']
export const databaseFolder = 'packages/storage'

export const testTools: readonly string[] = [
  'vitest',
  'fast-check',
  '@fairlead/core/testing',
  '@fairlead/provider-http/testing',
  '@fairlead/rest-adapter/testing',
  '@fairlead/storage/testing',
]
