import { describe, expect, test } from 'vitest'
import { testClock } from '@fairlead/testing'
import { FairleadError } from './errors.ts'
import { limitOutageLines } from './log.ts'

function setup() {
  const clock = testClock()
  const written: unknown[] = []
  const write = ({ error: _error, ...facts }: Readonly<Record<string, unknown>>, message: string) =>
    void written.push({ ...facts, message })
  return { clock, written, log: limitOutageLines({ warn: write, error: write }, clock) }
}

const unavailable = (message: string) => new FairleadError('SERVICE_UNAVAILABLE', message)

describe('limitOutageLines', () => {
  test('limitOutageLines writes one line per message in ten seconds, with the number of omitted lines', () => {
    const { clock, written, log } = setup()
    for (let n = 0; n < 1_000; n++) log.warn({ requestId: `req_${n}`, error: unavailable('no store') }, 'unavailable')
    log.warn({ requestId: 'req_1000', error: unavailable('no images') }, 'unavailable')
    log.error({ requestId: 'req_1001', error: unavailable('no store') }, 'not settled')
    expect(written).toEqual([
      { requestId: 'req_0', message: 'unavailable' },
      { requestId: 'req_1000', message: 'unavailable' },
      { requestId: 'req_1001', message: 'not settled' },
    ])
    clock.advance(10_000)
    log.warn({ requestId: 'req_1002', error: unavailable('no store') }, 'unavailable')
    expect(written.at(-1)).toEqual({ requestId: 'req_1002', message: 'unavailable', omitted: 999 })
  })

  test('limitOutageLines writes every line that is not about an outage', () => {
    const { written, log } = setup()
    for (let n = 0; n < 3; n++) log.error({ error: new Error('a bug') }, 'unhandled')
    for (let n = 0; n < 3; n++) log.warn({}, 'a provider failed')
    for (let n = 0; n < 3; n++) log.warn({ error: new FairleadError('CONFLICT', 'no') }, 'odd')
    expect(written).toHaveLength(9)
  })
})
