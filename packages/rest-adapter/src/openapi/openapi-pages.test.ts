import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { prefixes, listRoutes } from '../routes.ts'
import { serve } from '../testing/serve.ts'

const routes = listRoutes(Object.values(operations))

describe('the document', () => {
  test('the document is the same in JSON and in YAML', async () => {
    const { ask } = await serve({ baseUrl: 'https://ai.example.com' })
    const json = await ask('GET', '/openapi.json')
    const yaml = await ask('GET', '/openapi.yaml')
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    expect(json.json).toMatchObject({ openapi: '3.0.3', servers: [{ url: 'https://ai.example.com' }] })
    expect(parse(yaml.text)).toEqual(json.json)
    expect(yaml.text).toBe(stringify(json.json, { aliasDuplicateObjects: false, lineWidth: 0 }))
  })

  test.each(['json', 'yaml'])('the document is sent as a file if the query requests it: %s', async (form) => {
    const { ask } = await serve()
    const { headers } = await ask('GET', `/openapi.${form}?download`)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="fairlead-openapi.${form}"`)
    expect((await ask('GET', `/openapi.${form}`)).headers.has('content-disposition')).toBe(false)
  })

  test('the document returns 304 to a client that has it', async () => {
    const { ask } = await serve()
    const { headers } = await ask('GET', '/openapi.json')
    const again = await ask('GET', '/openapi.json', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('the document needs no credential and supports only GET and HEAD', async () => {
    const { ask } = await serve()
    expect((await ask('GET', '/openapi.json', { headers: { authorization: undefined } })).status).toBe(200)
    expect((await ask('POST', '/openapi.json', { body: {} })).status).toBe(405)
  })

  test('the document is named by the service, where the address is not known relative to it', async () => {
    const { ask } = await serve({ service: { name: 'Ferry', version: '2.0.0', documents: { docs: '/docs' } } })
    const { json } = await ask('GET', '/')
    expect(json.data.documents).toEqual({ openapi: '/openapi.json', openapi_yaml: '/openapi.yaml', docs: '/docs' })
    const document = (await ask('GET', json.data.documents.openapi)).json
    expect(document.info).toMatchObject({ title: 'Ferry', version: '2.0.0' })
    expect(document.servers).toEqual([{ url: '/' }])
  })

  test('the document has every route, at a path that works', async () => {
    const { ask } = await serve()
    const { paths } = (await ask('GET', '/openapi.json')).json
    const described = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    for (const { method, path, quickStart } of routes) {
      const forms = prefixes.map((prefix) => `${method} ${prefix}${path}`).filter((form) => described.includes(form))
      expect(forms).toHaveLength(quickStart ? 2 : 1)
    }
  })

  test('the document has unique operation ids and a description of each field', async () => {
    const { ask } = await serve()
    const document = (await ask('GET', '/openapi.json')).json
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(undescribed(document)).toEqual([])
  })
})

/** Fields without a description, at any depth. References are described by their component. */
function undescribed(node: unknown, path = ''): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const properties = 'properties' in node ? Object.entries(node.properties as Record<string, object>) : []
  const silent = properties.filter(([, field]) => !('description' in field) && !('$ref' in field))
  return [
    ...silent.map(([name]) => `${path}.${name}`),
    ...Object.entries(node).flatMap(([key, member]) => undescribed(member, `${path}/${key}`)),
  ]
}
