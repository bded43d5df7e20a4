import { type ErrorCode, FairleadError } from '@fairlead/core'
import { testClock, testCore, testStores } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { listRoutes } from '../routes.ts'
import { type AskOptions, type Reply, serve, type ServeOptions } from '../testing/serve.ts'
import { documentedPaths, openapiDocument, sectionFinder } from './document.ts'

const { core } = await testCore()
const routes = listRoutes(core.operations)

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

/** Expects this status and code of each operation that documents the status, except of those that are tested separately. */
async function expectOfAll(
  expected: `${number} ${ErrorCode}`,
  send: (operation: Documented) => Promise<Reply>,
  others: readonly string[] = [],
): Promise<void> {
  const [status = ''] = expected.split(' ')
  const promising = operations.filter(
    ({ statuses, operationId }) => statuses.includes(status) && !others.includes(operationId),
  )
  expect(promising.length).toBeGreaterThan(20)
  const replies: [operationId: string, reply: string][] = []
  for (const operation of promising) {
    const reply = await send(operation)
    replies.push([operation.operationId, `${reply.status} ${reply.json.error.code}`])
  }
  expect(replies).toEqual(promising.map(({ operationId }) => [operationId, expected]))
}

/**
 * Sends requests as an admin, each with a new key or session, for errors that occur before the record or the body is
 * read.
 */
async function asAdmin(service: ServeOptions = {}) {
  const { ask, addCaller, fairlead: own, signInToken } = await serve(service)
  return async ({ method, path, operation }: Documented, options: AskOptions = {}): Promise<Reply> => {
    const { credentials, userId } = await addCaller({ user: { role: 'admin' } })
    const needsSession = 'sessionOnly' in operation.access
    const session = needsSession ? await own.sessions.exchange({ token: signInToken(userId) }) : undefined
    const headers = { authorization: `Bearer ${session?.accessToken ?? credentials.token}`, ...options.headers }
    const hasBody = method === 'POST' || method === 'PUT'
    return ask(method, path.replace('{id}', 'none'), { ...(hasBody && { body: {} }), ...options, headers })
  }
}

/** Sends requests while the stores fail, after the caller was added to them. */
async function withoutStores(cause: Error) {
  const stores = testStores({ clock: testClock() })
  const { ask } = await serve({ stores })
  const fail = () => Promise.reject(cause)
  Object.assign(stores, { read: fail, transact: fail })
  return ({ method, path }: Documented): Promise<Reply> => ask(method, path.replace('{id}', 'none'))
}

describe('every operation that documents', () => {
  test('every operation that documents 400 returns it for a field that it does not know', async () => {
    const send = await asAdmin()
    await expectOfAll('400 INVALID_REQUEST', (operation) => {
      const hasQuery = operation.method === 'GET' || operation.method === 'DELETE'
      if (!hasQuery) return send(operation, { body: { nonsense: 1 } })
      return send({ ...operation, path: `${operation.path}?nonsense=1` })
    })
  })

  test('every operation that documents 401 returns it without a key', async () => {
    const send = await asAdmin()
    await expectOfAll('401 UNAUTHORIZED', (operation) => send(operation, { headers: { authorization: undefined } }), [
      'login',
      'refresh',
      'logout',
      'exchangeSignInToken',
      'passkeyLoginOptions',
      'loginWithPasskey',
    ])
  })

  test('every operation that documents 403 returns it to a suspended user', async () => {
    const { addCaller, ask } = await serve()
    const { credentials } = await addCaller({ user: { status: 'suspended' } })
    const headers = { authorization: `Bearer ${credentials.token}` }
    await expectOfAll('403 FORBIDDEN', ({ method, path }) => ask(method, path.replace('{id}', 'none'), { headers }))
  })

  test('every operation that documents 413 returns it for a body that is too long', async () => {
    const send = await asAdmin({ maxBodyBytes: 50 })
    await expectOfAll('413 PAYLOAD_TOO_LARGE', (operation) => send(operation, { body: { nonsense: 'x'.repeat(100) } }))
  })

  test('every operation that documents 415 returns it for a body that is not JSON', async () => {
    const send = await asAdmin()
    const plain = { body: 'hi', headers: { 'content-type': 'text/plain' } }
    await expectOfAll('415 UNSUPPORTED_MEDIA_TYPE', (operation) => send(operation, plain))
  })

  test('every operation that documents 500 returns it when the stores have a bug', async () => {
    await expectOfAll('500 INTERNAL_ERROR', await withoutStores(new TypeError('a defect')))
  })

  test('every operation that documents 503 returns it when the stores are unavailable', async () => {
    const away = new FairleadError('SERVICE_UNAVAILABLE', 'The store is away.', { retryAfterMs: 1_000 })
    await expectOfAll('503 SERVICE_UNAVAILABLE', await withoutStores(away))
  })
})
