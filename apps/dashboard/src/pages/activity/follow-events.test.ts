import { describe, expect, test } from 'vitest'
import { followEvents } from './follow-events.ts'

const message = (id: string) => `id: ${id}\nevent: message\ndata: ${JSON.stringify({ id })}\n\n`
const failure = (code: string, field?: string) =>
  Response.json(
    {
      error: { code, message: code, details: { issues: field ? [{ field, issue: '' }] : [] } },
      meta: { request_id: 'r' },
    },
    { status: 400 },
  )

/** Opens one response after the other, and stops after the last. */
async function follow(responses: readonly (Response | Error)[]) {
  const stop = new AbortController()
  const seen: string[] = []
  const rest = [...responses]
  await followEvents({
    after: 'evt_0',
    signal: stop.signal,
    async open(after) {
      seen.push(`open after ${after ?? 'now'}`)
      const next = rest.shift()
      if (next instanceof Response) return next
      if (!next) stop.abort()
      throw next ?? new Error('aborted')
    },
    onOpen: () => {},
    onEvent: ({ id }) => seen.push(id),
    onLost: () => {},
    async wait(delayMs) {
      seen.push(`wait ${delayMs}`)
    },
  })
  return seen
}

describe('followEvents', () => {
  test('followEvents opens the stream again after the last event', async () => {
    const lost = new Response(`${message('evt_1')}${message('evt_2')}event: error\ndata: {}\n\n`)
    expect(await follow([lost])).toEqual(['open after evt_0', 'evt_1', 'evt_2', 'wait 1000', 'open after evt_2'])
  })

  test('followEvents waits longer after each failure to connect', async () => {
    const seen = await follow([new TypeError('network'), new TypeError('network'), failure('SERVICE_UNAVAILABLE')])
    expect(seen.filter((each) => each.startsWith('wait'))).toEqual(['wait 1000', 'wait 2000', 'wait 4000'])
  })

  test('followEvents starts now if the last event is no longer stored', async () => {
    expect(await follow([failure('INVALID_REQUEST', 'after')])).toEqual([
      'open after evt_0',
      'wait 1000',
      'open after now',
    ])
  })

  test('followEvents rejects with the error of a rejected request', async () => {
    await expect(follow([failure('FORBIDDEN')])).rejects.toMatchObject({ error: { code: 'FORBIDDEN' } })
  })
})
