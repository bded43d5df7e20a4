import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hostileRequests } from './testing/event-loop/hostile-requests.ts'
import { type Measured, type MeasuredServer, startMeasured } from './testing/event-loop/measured-server.ts'
import { surfaceRequests } from './testing/event-loop/surface-requests.ts'
import { temporaryFolder } from './testing/run-main.ts'

const asked = process.env['FUZZ_RUNS']
const runs = asked === undefined ? { numRuns: 25, seed: 1 } : { numRuns: Number(asked) }
const maxAttempts = 20
const turn = asked === undefined ? { maxMs: 150, maxParses: 3 } : { maxMs: 50, maxParses: 2.5 }

const png = 'iVBORw0KGgoAAAANSUhEUg'

const folder = mkdtempSync(join(tmpdir(), 'fairlead-'))
let server: MeasuredServer
beforeAll(async () => {
  server = await startMeasured(folder)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

/**
 * Expects turns of at most 50 ms of CPU time in one of a few attempts: a turn may be long for other reasons, such as a
 * collection of garbage, or code that V8 has not optimized yet. `npm test` allows 150 ms, because other programs slow
 * down the processor. They slow down memory even more, so a turn may also take as long as parsing its body a few times.
 */
async function expectShortTurns(ask: (attempt: number) => Promise<Measured>): Promise<void> {
  const all: Measured[] = []
  let maxMs = 0
  do {
    all.push(await ask(all.length))
    maxMs = Math.max(turn.maxMs, turn.maxParses * least(all, 'parseMs'))
  } while (least(all, 'heldMs') > maxMs && all.length < maxAttempts)
  expect(least(all, 'heldMs')).toBeLessThanOrEqual(maxMs)
}

function least(all: readonly Measured[], duration: keyof Measured): number {
  return Math.min(...all.map((each) => each[duration]))
}

/** Sends a request with an Idempotency-Key. */
async function send(title: string, path: string, body: string, attempt: number, status = 200) {
  const headers = { 'idempotency-key': `${path}-${title.replaceAll(' ', '-')}-${attempt}` }
  const sent = await server.ask({ title, method: 'POST', path, headers, body, hasKey: true })
  expect(sent.status).toBe(status)
  return sent
}

describe('a prompt or a conversation of up to 20 MiB', () => {
  test.each([
    ['10 MB of ASCII', () => ({ prompt: 'x'.repeat(10_000_000) })],
    ['20 MB of Chinese', () => ({ prompt: '中'.repeat(6_900_000) })],
    ['20 MB of emoji', () => ({ prompt: '🦊'.repeat(5_200_000) })],
    ['an image of 15 MB', () => ({ messages: [userSays([{ type: 'image', data: png.padEnd(20_000_000, 'A') }])] })],
    ['9,000 messages', () => ({ messages: Array.from({ length: 9_000 }, () => userSays('x'.repeat(100))) })],
    ['7,000 parts', () => ({ messages: Array.from({ length: 7 }, () => userSays(parts(1_000))) })],
    [
      'a schema of 20,000 names',
      () => ({ prompt: 'x', tools: [{ name: 'x', input_schema: { enum: names(20_000) } }] }),
    ],
  ])(
    'a prompt or a conversation of up to 20 MiB holds the event loop for at most 50 ms at a time: %s',
    async (title, input) => {
      const body = JSON.stringify({ model: 'any', ...input() })
      await expectShortTurns((attempt) => send(title, '/generate', body, attempt))
    },
  )
})

describe.each(Object.entries(surfaceRequests))('a request of up to 20 MiB to %s', (path, requests) => {
  test.each(requests)(
    'a request of up to 20 MiB holds the event loop for at most 50 ms at a time: %s',
    async (title, status, fields) => {
      const body = JSON.stringify({ model: 'any', max_tokens: 10, ...fields() })
      await expectShortTurns((attempt) => send(title, path, body, attempt, status))
    },
  )
})

const userSays = (content: unknown) => ({ role: 'user', content })
const parts = (count: number) => Array.from({ length: count }, () => ({ type: 'text', text: 'x'.repeat(1_000) }))
const names = (count: number) => Array.from({ length: count }, (_, index) => `name ${index}`)

describe('a list of 2,048 texts', () => {
  test.each([
    ['with embeddings of 3,072 numbers', 'x', {}],
    ['with embeddings in base64', 'x', { encoding: 'base64' }],
    ['of 20 MB', 'word '.repeat(1_950), { encoding: 'base64' }],
  ])('a list of 2,048 texts holds the event loop for at most 50 ms at a time: %s', async (title, text, fields) => {
    const texts = Array.from({ length: 2_048 }, () => text)
    const body = JSON.stringify({ model: 'vectors', texts, ...fields })
    await expectShortTurns((attempt) => send(title, '/embeddings', body, attempt))
  })
})

describe('a request of up to 1 MiB', () => {
  test('a request of up to 1 MiB holds the event loop for at most 50 ms at a time, whatever is in it', async () => {
    // Its own, because the requests may delete the key.
    const hostile = await startMeasured(temporaryFolder())
    onTestFinished(() => hostile.stop())
    await fc.assert(
      fc.asyncProperty(hostileRequests, async (request) => {
        await expectShortTurns(() => hostile.ask(request))
      }),
      { ...runs, endOnFailure: true },
    )
  })
})
