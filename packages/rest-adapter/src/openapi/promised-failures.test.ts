import { FairleadError } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { testClock, testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { routesOf } from '../routes.ts'
import { type AskOptions, type Reply, serve, type ServeOptions } from '../testing/serve.ts'
import { documentedPaths, openapiDocument, sectionFinder } from './document.ts'

const { core } = await testCore()
const routes = routesOf(core.operations)

const { paths } = await openapiDocument({
  service: { name: 'Fairlead', version: '0' },
  routes,
  sections: core.sections,
  pages: [],
})

/** Every operation, with its documented statuses. */
const operations = routes.flatMap((route) =>
  documentedPaths(route, sectionFinder(core.sections)).map(({ path }) => {
    const { operationId = '', responses = {} } = paths[path]?.[route.method.toLowerCase()] ?? {}
    return { ...route, path, operationId, statuses: Object.keys(responses) }
  }),
)
type Documented = (typeof operations)[number]

/** Operations with a documented status, without those that are tested separately. */
const promising = (status: string, others: readonly string[] = []) =>
  operations
    .filter(({ statuses, operationId }) => statuses.includes(status) && !others.includes(operationId))
    .map((operation) => [operation.operationId, operation] as const)

/** Sends a request as an admin, for errors that occur before the record or the body is read. */
async function ask({ method, path }: Documented, options: AskOptions = {}, service: ServeOptions = {}): Promise<Reply> {
  const { ask: send, addCaller } = await serve(service)
  const { credentials } = await addCaller({ user: { role: 'admin' } })
  const headers = { authorization: `Bearer ${credentials.token}`, ...options.headers }
  const hasBody = method === 'POST' || method === 'PUT'
  return send(method, path.replace('{id}', 'none'), { ...(hasBody && { body: {} }), ...options, headers })
}

/** Sends a request while the stores fail, after the caller was added to them. */
async function askWithout(operation: Documented, error: Error): Promise<Reply> {
  const stores = memoryStores({ clock: testClock() })
  const { ask: send } = await serve({ stores })
  const fail = () => Promise.reject(error)
  Object.assign(stores, { read: fail, transact: fail })
  return send(operation.method, operation.path.replace('{id}', 'none'))
}

describe('a documented error occurs:', () => {
  test.each(promising('400'))('400 of %s', async (_id, operation) => {
    const hasQuery = operation.method === 'GET' || operation.method === 'DELETE'
    const { status, json } = hasQuery
      ? await ask({ ...operation, path: `${operation.path}?nonsense=1` })
      : await ask(operation, { body: { nonsense: 1 } })
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test.each(promising('401', ['login', 'refresh', 'logout', 'exchangeSignInToken']))(
    '401 of %s',
    async (_id, operation) => {
      const { status } = await ask(operation, { headers: { authorization: undefined } })
      expect(status).toBe(401)
    },
  )

  test.each(promising('403'))('403 of %s', async (_id, { method, path }) => {
    const { addCaller, ask: send } = await serve()
    const { credentials } = await addCaller({ user: { status: 'suspended' } })
    const headers = { authorization: `Bearer ${credentials.token}` }
    const { status } = await send(method, path.replace('{id}', 'none'), { headers })
    expect(status).toBe(403)
  })

  test.each(promising('413'))('413 of %s', async (_id, operation) => {
    const { status } = await ask(operation, { body: { nonsense: 'x'.repeat(100) } }, { maxBodyBytes: 50 })
    expect(status).toBe(413)
  })

  test.each(promising('415'))('415 of %s', async (_id, operation) => {
    const { status } = await ask(operation, { body: 'hi', headers: { 'content-type': 'text/plain' } })
    expect(status).toBe(415)
  })

  test.each(promising('500'))('500 of %s', async (_id, operation) => {
    const { status } = await askWithout(operation, new TypeError('a defect'))
    expect(status).toBe(500)
  })

  test.each(promising('503'))('503 of %s', async (_id, operation) => {
    const away = new FairleadError('SERVICE_UNAVAILABLE', 'The store is away.', { retryAfterMs: 1_000 })
    const { status } = await askWithout(operation, away)
    expect(status).toBe(503)
  })
})
