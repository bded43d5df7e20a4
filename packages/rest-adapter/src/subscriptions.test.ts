import { createFairlead, defineFeature, subscription } from '@fairlead/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { restAdapter } from './rest-adapter.ts'

/** Streams the numbers after `after`, and ends. */
const countTo3 = subscription({
  name: 'countTo3',
  summary: 'Counts.',
  access: { scope: 'models' },
  metered: false,
  rest: { method: 'GET', path: '/numbers/stream' },
  input: z.strictObject({ after: z.string().default('0').describe('Where to continue.') }),
  output: z.object({ id: z.string(), isLast: z.boolean() }),
  async *subscribe(_services, _call, { after }) {
    for (let id = Number(after) + 1; id <= 3; id++) yield { id: String(id), isLast: id === 3 }
  },
})

function ask(path: string, headers = {}) {
  const { core } = createFairlead({
    providers: [],
    features: [defineFeature({ name: 'numbers', operations: { numbers: { watch: countTo3 } } })],
  })
  onTestFinished(() => core.close())
  return restAdapter(core, { service: { name: 'Test', version: '1.0.0', documents: {} }, anonymous: true }).handle(
    new Request(`http://a${path}`, { headers }),
  )
}

describe('a subscription', () => {
  test('a subscription sends a message with an id for each item', async () => {
    const response = await ask('/numbers/stream')
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await response.text()).toBe(
      [
        'id: 1\nevent: message\ndata: {"id":"1","is_last":false}\n\n',
        'id: 2\nevent: message\ndata: {"id":"2","is_last":false}\n\n',
        'id: 3\nevent: message\ndata: {"id":"3","is_last":true}\n\n',
      ].join(''),
    )
  })

  test('a subscription continues after Last-Event-ID', async () => {
    const response = await ask('/numbers/stream', { 'Last-Event-ID': '2' })
    expect(await response.text()).toBe('id: 3\nevent: message\ndata: {"id":"3","is_last":true}\n\n')
  })

  test('a subscription takes the same id from the query', async () => {
    expect(await (await ask('/numbers/stream?after=2')).text()).toContain('id: 3')
  })

  test('a subscription rejects an unknown parameter before the stream begins', async () => {
    const response = await ask('/numbers/stream?since=2')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { details: { field: 'since' } } })
  })
})
