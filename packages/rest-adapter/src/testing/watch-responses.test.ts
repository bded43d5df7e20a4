import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { watchResponses } from './watch-responses.ts'

const meta = { request_id: 'req_1', timestamp: '2026-03-14T09:26:53.589Z' }
const headers = { 'x-request-id': 'req_1', 'content-type': 'application/json' }
const details = { field: null, issue: null, issues: [] }

interface Given {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | string
}

/** The violations of a response to `GET /v1/usage/timeseries`, or to another path. */
async function findViolations({ status = 200, headers: given = headers, body }: Given, path = '/v1/usage/timeseries') {
  const server = createServer((_request, response) => {
    response.writeHead(status, given)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const responses = watchResponses(port)
  onTestFinished(() => responses.stop())
  await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  return responses.violations
}

const data = { from: meta.timestamp, to: meta.timestamp, group_by: 'day', groups: [] }
const documented = { success: true, data, meta }

describe('watchResponses', () => {
  test('watchResponses reports nothing for a documented response, under any prefix', async () => {
    expect(await findViolations({ body: documented })).toEqual([])
    expect(await findViolations({ body: documented }, '/usage/timeseries?from=x')).toEqual([])
  })

  test.each<[string, Given]>([
    ['a field that is not documented', { body: { ...documented, extra: 1 } }],
    ['a nested field that is not documented', { body: { ...documented, data: { ...data, groups: [{ group: 'x' }] } } }],
    ['a field of another type', { body: { ...documented, data: { ...data, from: 1 } } }],
    ['a field that is missing', { body: { success: true, meta, data: { from: meta.timestamp } } }],
    ['a value that is not listed', { body: { ...documented, data: { ...data, group_by: 'year' } } }],
    ['a header that is missing', { headers: { 'content-type': 'application/json' }, body: documented }],
    ['a status that is not documented', { status: 202, body: documented }],
    ['a media type that is not documented', { headers: { ...headers, 'content-type': 'text/html' }, body: 'hi' }],
    [
      'a failure without its details',
      { status: 400, body: { success: false, error: { code: 'INVALID_REQUEST' }, meta } },
    ],
    [
      'a failure of another status',
      { status: 400, body: { success: false, error: { code: 'NOT_FOUND', message: '', details }, meta } },
    ],
  ])('watchResponses reports %s', async (_case, given) => {
    expect(await findViolations(given)).not.toEqual([])
  })

  test('watchResponses reports a successful response of an operation that is not documented', async () => {
    expect(await findViolations({ body: documented }, '/nowhere')).toEqual([
      'GET /nowhere returned 200: the operation is not in docs/openapi.json',
    ])
  })

  test('watchResponses accepts an error envelope for a path that is not documented', async () => {
    const error = { code: 'NOT_FOUND', message: 'Not found.', details }
    expect(await findViolations({ status: 404, body: { success: false, error, meta } }, '/nowhere')).toEqual([])
    expect(await findViolations({ status: 404, body: { error } }, '/nowhere')).not.toEqual([])
  })
})
