import { createBodyRoom } from '@fairlead/http'
import { textAnswer } from '@fairlead/core/provider'
import { scripted } from '@fairlead/testing'
import { describe, expect, test, vi } from 'vitest'
import { forms } from './testing/serve.ts'

const asked = { model: 'any', prompt: 'x'.repeat(150_000) }

/** An account may hold 200 kB. The provider answers when it is told to. */
function smallService() {
  const bodyRoom = createBodyRoom({ maxBytes: 300_000, maxBodyBytes: 200_000 })
  const answers: (() => void)[] = []
  const slow = {
    ...scripted('slow', ''),
    generateText: () =>
      new Promise<ReturnType<typeof textAnswer>>((resolve) => answers.push(() => resolve(textAnswer('hello')))),
  }
  const answer = () => {
    for (const each of answers.splice(0)) each()
  }
  return { options: { bodyRoom, providers: [slow] }, bodyRoom, answer, isCalled: () => answers.length > 0 }
}

describe.each(forms)('%s', (_form, serve) => {
  test('a body has no room while its account holds others, and has it when they have been answered', async () => {
    const { options, bodyRoom, answer, isCalled } = smallService()
    const { ask } = await serve(options)
    const first = ask('POST', '/generate', { body: asked })
    await vi.waitUntil(isCalled)
    expect(bodyRoom.heldBytes).toBeGreaterThan(150_000)
    const second = await ask('POST', '/generate', { body: asked })
    expect([second.status, second.headers.get('retry-after'), second.json.error.code]).toEqual([
      503,
      '1',
      'SERVICE_UNAVAILABLE',
    ])
    const small = ask('POST', '/generate', { body: { ...asked, prompt: 'x' } })
    answer()
    await vi.waitUntil(isCalled)
    answer()
    expect([(await first).status, (await small).status]).toEqual([200, 200])
    await vi.waitUntil(() => bodyRoom.heldBytes === 0)
    const third = ask('POST', '/generate', { body: asked })
    await vi.waitUntil(isCalled)
    answer()
    expect((await third).status).toBe(200)
  })

  test('a body without a length has no room as soon as it is larger than what is left', async () => {
    const { options, bodyRoom } = smallService()
    const { raw, caller } = await serve(options)
    const chunk = `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n`
    const answer = await raw(
      'POST /generate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${caller.token}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    await vi.waitUntil(() => bodyRoom.heldBytes === 0)
  })

  test('a body gives its room back when its client leaves', async () => {
    const { options, bodyRoom, isCalled } = smallService()
    const { ask } = await serve(options)
    const left = new AbortController()
    const first = ask('POST', '/generate', { body: asked, signal: left.signal })
    await vi.waitUntil(isCalled)
    left.abort()
    await expect(first).rejects.toThrow('aborted')
    await vi.waitUntil(() => bodyRoom.heldBytes === 0)
  })

  test('a body of an unknown key, or of another type, takes no room and is not read', async () => {
    const { options, bodyRoom } = smallService()
    const { raw, caller } = await serve(options)
    const begin = (token: string, type: string) =>
      raw(
        `POST /generate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
          `Authorization: Bearer ${token}\r\nContent-Length: 150000\r\n\r\n`,
      )
    expect(await begin('fl_unknown', 'application/json')).toMatch(/^HTTP\/1\.1 401 /)
    expect(await begin(caller.token, 'text/plain')).toMatch(/^HTTP\/1\.1 415 /)
    expect(bodyRoom.heldBytes).toBe(0)
  })
})
