import { operations } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { prefixes, routesOf } from './routes.ts'
import { serve } from './testing/serve.ts'

describe('the response to an operation', () => {
  const asked = routesOf(Object.values(operations)).flatMap((route) =>
    prefixes.map((prefix) => [route.method, prefix + route.path] as const),
  )

  test.each(asked)('%s %s cannot be stored by shared caches', async (method, pattern) => {
    const { ask } = await serve()
    const path = pattern.replace('{id}', 'shp_0')
    const { headers } = await ask(method, path, method === 'GET' ? {} : { body: {} })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('vary')).toMatch(/\bAuthorization\b/)
  })
})
