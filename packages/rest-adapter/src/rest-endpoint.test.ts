import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { createEndpoints } from './rest-endpoint.ts'
import { listRoutes } from './routes.ts'
import { sessionCookie } from './session-cookie.ts'

describe('createEndpoints', () => {
  const endpoints = listRoutes(Object.values(operations)).flatMap((route) =>
    createEndpoints(route, {
      startedAt: 0,
      maxBodyBytes: undefined,
      cookie: sessionCookie(undefined),
      publicPath: (basePath) => basePath,
    }),
  )
  const pathsTo = (operation: unknown) =>
    endpoints.filter((each) => each.operation === operation).map(({ path }) => path)

  test('createEndpoints offers a route under all prefixes', () => {
    expect(pathsTo(operations.generate)).toEqual(['/generate', '/v1/generate', '/api/v1/generate'])
  })

  test('createEndpoints does not offer a route under the prefix where another API has its path', () => {
    expect(pathsTo(operations.embed)).toEqual(['/embeddings', '/api/v1/embeddings'])
  })
})
