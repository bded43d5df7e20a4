import { operations } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { prefixes, routeFinder, routesOf } from './routes.ts'

describe('routeFinder', () => {
  const findRoute = routeFinder(routesOf(Object.values(operations)))

  test('finds a route under all prefixes', () => {
    const found = prefixes.map((prefix) => findRoute(`${prefix}/generate`)?.pattern)
    expect(found).toEqual(['/generate', '/v1/generate', '/api/v1/generate'])
  })

  test('does not find a route under the prefix where another API has its path', () => {
    const found = prefixes.map((prefix) => findRoute(`${prefix}/embeddings`)?.pattern)
    expect(found).toEqual(['/embeddings', undefined, '/api/v1/embeddings'])
  })
})
