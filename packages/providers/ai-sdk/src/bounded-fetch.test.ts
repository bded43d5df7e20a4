import { openTestUpstream, testClock, type UpstreamAnswer } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { boundedFetch } from './index.ts'

async function serve(answer: UpstreamAnswer) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  upstream.answer(answer)
  return upstream
}

describe('boundedFetch', () => {
  test('boundedFetch returns a reply unchanged', async () => {
    const { url, requests } = await serve(
      (response) => void response.writeHead(418, { 'x-kind': 'teapot' }).end('short'),
    )
    const response = await boundedFetch()(url, { method: 'POST', body: 'hello' })
    expect([response.status, response.headers.get('x-kind'), await response.text()]).toEqual([418, 'teapot', 'short'])
    expect(requests).toMatchObject([{ method: 'POST', body: 'hello' }])
  })

  test('boundedFetch returns a reply without a body', async () => {
    const { url } = await serve((response) => void response.writeHead(204).end())
    expect((await boundedFetch()(url)).status).toBe(204)
  })

  test('boundedFetch abandons an endless reply and hangs up', async () => {
    const { url, requests } = await serve((response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const response = await boundedFetch({ maxBytes: 1_000_000 })(url)
    await expect(response.text()).rejects.toMatchObject({ failure: 'give_up' })
    await requests[0]?.hungUp
  })

  test('boundedFetch waits five seconds for the body of an error, and hangs up', async () => {
    const clock = testClock()
    const { url, requests } = await serve((response) => void response.writeHead(503).write('busy'))
    const response = await boundedFetch({ clock })(url)
    const reader = response.body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('busy')
    const rest = reader.read()
    clock.advance(5_000)
    expect(await rest).toMatchObject({ done: true })
    await requests[0]?.hungUp
  })

  test('boundedFetch has no time limit for a successful reply', async () => {
    const clock = testClock()
    let end = () => {}
    const { url } = await serve((response) => {
      response.write('one ')
      end = () => void response.end('two')
    })
    const response = await boundedFetch({ clock })(url)
    clock.advance(60_000)
    end()
    expect(await response.text()).toBe('one two')
  })

  test('boundedFetch follows no redirect', async () => {
    const elsewhere = await serve((response) => void response.end('secret'))
    const { url } = await serve((response) => void response.writeHead(307, { location: elsewhere.url }).end())
    await expect(boundedFetch()(url, { method: 'POST', body: 'hello' })).rejects.toThrow(TypeError)
    expect(elsewhere.requests).toEqual([])
  })
})
