import { local } from '@fairlead/provider-local'
import { describe, expect, test } from 'vitest'
import { recordedRequest, resend } from '../testing/recorded-request.ts'
import { serveApp } from '../testing/serve-app.ts'

const request = recordedRequest('continue')

describe('Continue', () => {
  test('Continue calls its tools, and gets the answer to their results', async () => {
    const app = await serveApp({ core: { providers: [local()] } })
    const asked = request.body.messages.slice(0, 2)
    const calling = await resend(app, { ...request, body: { ...request.body, messages: asked } })
    expect(calling).toMatchObject({ status: 200, ignored: null })
    const [first] = calling.events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(first).toMatchObject({ index: 0, id: 'call_1', type: 'function', function: { name: 'Read' } })
    const answering = await resend(app, request)
    const texts = answering.events.map(({ choices }) => choices[0]?.delta.content ?? '')
    expect(texts.join('')).toBe('It opens at nine.')
    expect(answering.events.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
  })
})
