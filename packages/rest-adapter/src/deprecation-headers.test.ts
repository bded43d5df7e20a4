import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import type { Route } from './routes.ts'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const headers = { deprecation: '@1801353600', sunset: 'Mon, 31 Jan 2028 00:00:00 GMT' }
  const deprecated = { since: '2027-01-31', sunset: '2028-01-31', instead: 'generate' }
  const routes: readonly Route[] = [
    { method: 'GET', path: '/models', operation: { ...operations.models, deprecated } },
    { method: 'GET', path: '/models/{id}', operation: operations.model },
  ]

  describe('a deprecated operation', () => {
    test('a deprecated operation sends the Deprecation and Sunset headers with every response, errors included', async () => {
      const { ask } = await serve({ routes })
      for (const query of ['', '?typ=text']) {
        const reply = await ask('GET', `/models${query}`)
        expect(Object.fromEntries(reply.headers)).toMatchObject(headers)
      }
    })

    test('a deprecated operation is marked in the OpenAPI document, with the operation to use instead', async () => {
      const { ask } = await serve({ routes })
      const { json } = await ask('GET', '/openapi.json')
      const { deprecated: marked, description, responses } = json.paths['/models'].get
      expect(marked).toBe(true)
      expect(description).toContain('Deprecated since 2027-01-31, removed from 2028-01-31: use `generate` instead.')
      expect(Object.keys(responses['200'].headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']))
      expect(Object.keys(json.components.headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']))
    })

    test('a deprecated operation does not change other operations', async () => {
      const { ask } = await serve({ routes })
      expect((await ask('GET', '/models/any')).headers.has('deprecation')).toBe(false)
      const { json } = await ask('GET', '/openapi.json')
      expect(json.paths['/models/{id}'].get.deprecated).toBeUndefined()
    })
  })
})
