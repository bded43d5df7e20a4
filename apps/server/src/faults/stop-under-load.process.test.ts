import { Agent, request } from 'node:http'
import { assert, asyncProperty, integer } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runMain, temporaryFolder } from '../testing/run-main.ts'

/** `npm run fuzz` stops the service 24 times, half of them with two processes. */
const stops = process.env['FUZZ_RUNS'] ? 12 : 1
const patience = { timeout: stops * 180_000 }

interface Load {
  readonly answered: number
  readonly refused: number
  /** Requests that were sent and not answered. */
  readonly lost: readonly string[]
  /** Resolves once every client has found the port closed. */
  readonly done: Promise<unknown>
}

/** Clients that send one request after another until the port is closed, on new connections or on one that is kept. */
function startLoad(url: string): Load {
  const load = { answered: 0, refused: 0, lost: [] as string[], done: Promise.resolve<unknown>(undefined) }
  const body = JSON.stringify({ model: 'none', prompt: 'x' })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const ask = (agent: Agent) =>
    new Promise<boolean>((resolve) => {
      const sentAt = Date.now()
      const asking = request(`${url}/generate`, { method: 'POST', agent, headers }, (reply) => {
        reply.resume()
        reply.on('end', () => resolve(++load.answered > 0))
        reply.on('error', (error) => resolve(load.lost.push(`in the answer: ${error.message}`) > 0))
      })
      asking.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') resolve(++load.refused < 0)
        else resolve(load.lost.push(describeLoss(error, asking.reusedSocket, Date.now() - sentAt)) > 0)
      })
      asking.end(body)
    })
  const client = async (keepAlive: boolean) => {
    const agent = new Agent({ keepAlive, maxSockets: 1 })
    while (await ask(agent));
    agent.destroy()
  }
  load.done = Promise.all(Array.from({ length: 24 }, (_, n) => client(n % 3 === 0)))
  return load
}

function describeLoss({ message }: Error, isKept: boolean, afterMs: number): string {
  return `${message}, on a ${isKept ? 'kept' : 'new'} connection, ${afterMs} ms after it was sent`
}

/** Stops a service that has answered so many requests. Resolves to the requests that it lost. */
async function stopAfter(answers: number, workers: string): Promise<readonly string[]> {
  const server = runMain({ FAIRLEAD_DATA_DIR: temporaryFolder(), FAIRLEAD_WORKERS: workers, LOG_LEVEL: 'silent' })
  const load = startLoad(await server.url)
  await expect.poll(() => load.answered).toBeGreaterThan(answers)
  server.signal('SIGTERM')
  await load.done
  expect(load.refused).toBe(24)
  expect(await server.end).toBe(0)
  return load.lost
}

describe('SIGTERM under load', () => {
  test.each(['1', '2'])(
    'SIGTERM under load loses no request that was sent while the port was open: %s processes',
    patience,
    (workers) =>
      assert(
        asyncProperty(integer({ min: 50, max: 1_000 }), async (answers) => {
          if ((await stopAfter(answers, workers)).length === 0) return
          // The operating system resets connections that arrive while the process, about to close its port, waits for a
          // processor. That is rare: the next two stops must lose nothing.
          for (let again = 0; again < 2; again++) expect(await stopAfter(answers, workers)).toEqual([])
        }),
        { numRuns: stops, endOnFailure: true },
      ),
  )
})

describe('FAIRLEAD_DRAIN_DELAY', () => {
  // Both wait for the delay at the same time.
  test('FAIRLEAD_DRAIN_DELAY keeps the port open once /readyz fails, with one process and with two', async () => {
    await Promise.all(['1', '2'].map(stopWithDelay))
  })
})

async function stopWithDelay(workers: string): Promise<void> {
  const server = runMain({
    FAIRLEAD_DATA_DIR: temporaryFolder(),
    FAIRLEAD_WORKERS: workers,
    // Long enough to ask `/readyz` on a busy machine.
    FAIRLEAD_DRAIN_DELAY: '15',
  })
  const url = await server.url
  server.signal('SIGTERM')
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
  const reply = await fetch(`${url}/healthz`)
  expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close'])
  expect(await server.end).toBe(0)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
}
