import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { endpointsOf } from './rest-endpoint.ts'
import { routesOf } from './routes.ts'
import { sessionCookie } from './session-cookie.ts'

describe('endpointsOf', () => {
  const endpoints = routesOf(Object.values(operations)).flatMap((route) =>
    endpointsOf(route, {
      startedAt: 0,
      maxBodyBytes: undefined,
      cookie: sessionCookie(undefined),
      publicPath: (basePath) => basePath,
    }),
  )
  const pathsTo = (operation: unknown) =>
    endpoints.filter((each) => each.operation === operation).map(({ path }) => path)

  test('endpointsOf offers a route under all prefixes', () => {
    expect(pathsTo(operations.generate)).toEqual(['/generate', '/v1/generate', '/api/v1/generate'])
  })

  test('endpointsOf does not offer a route under the prefix where another API has its path', () => {
    expect(pathsTo(operations.embed)).toEqual(['/embeddings', '/api/v1/embeddings'])
  })
})
