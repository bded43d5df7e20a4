import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { prefixes, listRoutes } from './routes.ts'
import { serve } from './testing/serve.ts'

describe('the response to an operation', () => {
  const asked = listRoutes(Object.values(operations)).flatMap((route) =>
    prefixes
      .filter((prefix) => prefix !== route.unlessPrefix)
      .map((prefix) => [route.method, prefix + route.path] as const),
  )

  test.each(asked)('%s %s cannot be stored by shared caches', async (method, pattern) => {
    const { url, caller } = await serve()
    const { headers, body } = await fetch(url + pattern.replace('{id}', 'shp_0'), {
      method,
      headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: '{}' }),
    })
    // A stream would not end.
    await body?.cancel()
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('vary')).toMatch(/\bAuthorization\b/)
  })
})
