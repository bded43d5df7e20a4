import { describe, expect, test } from 'vitest'
import { callModel } from './call-model.ts'
import type { Delta } from './streamed-parts.ts'

const request = { path: '/generate', body: { model: 'scribe', prompt: 'hi', stream: true } }
const reply = { success: true, data: { content: 'Hello' }, meta: { request_id: 'req_1' } }

function options(response: Response) {
  const deltas: Delta[] = []
  const sent: Request[] = []
  return {
    deltas,
    sent,
    serviceUrl: 'http://service.test',
    signal: new AbortController().signal,
    onDelta: (delta: Delta) => void deltas.push(delta),
    async send(each: Request) {
      sent.push(each)
      return response
    },
  }
}

const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })

describe('callModel', () => {
  test('callModel passes on the parts of a stream, and returns its last event', async () => {
    const parts = 'event: chunk\ndata: {"content":"Hel"}\n\nevent: chunk\ndata: {"content":"lo"}\n\n'
    const call = options(stream(`${parts}event: done\ndata: ${JSON.stringify(reply)}\n\n`))
    expect(await callModel(request, call)).toEqual(reply)
    expect(call.deltas).toEqual([{ content: 'Hel' }, { content: 'lo' }])
    expect(call.sent[0]?.url).toBe('http://service.test/generate')
    expect(await call.sent[0]?.json()).toEqual(request.body)
  })

  test('callModel rejects with the body of an error event', async () => {
    const body = { error: { code: 'PROVIDER_ERROR', message: 'The provider failed.' } }
    const call = options(stream(`event: error\ndata: ${JSON.stringify(body)}\n\n`))
    await expect(callModel(request, call)).rejects.toEqual(body)
  })

  test('callModel rejects a stream without a last event as a failure of the network', async () => {
    const call = options(stream('event: chunk\ndata: {"content":"Hel"}\n\n'))
    await expect(callModel(request, call)).rejects.toBeInstanceOf(TypeError)
  })

  test('callModel rejects with the error body of a response that is not streamed', async () => {
    const body = { error: { code: 'QUOTA_EXCEEDED', message: 'The quota is used up.' } }
    await expect(callModel(request, options(Response.json(body, { status: 429 })))).rejects.toEqual(body)
  })
})
