import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipReason } from '../clients/run-client.ts'
import { clients } from '../clients/table.ts'
import { bundleWorker, type PlatformId, platforms, type Running } from './platforms.ts'
import { openSlowUpstream } from './slow-upstream.ts'

const worker = join(import.meta.dirname, '../../../../../examples/workers/worker.ts')

/** Runs the example of a worker on a platform, with the packages as `npm run build` builds them, in front of a server here. */
export function platformSuite(id: PlatformId): void {
  const reason = skipReason(id)
  describe.skipIf(reason)(`${clients[id].name}${reason === undefined ? '' : `: ${reason}`}`, () => {
    let folder: string
    let upstream: Awaited<ReturnType<typeof openSlowUpstream>>
    let running: Running
    let impatient: Running

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fairlead-platform-'))
      upstream = await openSlowUpstream()
      const bundle = await bundleWorker(id, { entryPoints: [worker] }, folder)
      const start = (timeoutMs: number) =>
        platforms[id].start(bundle, {
          API_KEY: 'sk-1',
          TOKEN: 'secret',
          BASE_URL: upstream.baseUrl,
          TIMEOUT_MS: `${timeoutMs}`,
        })
      running = await start(600_000)
      impatient = await start(500)
    })

    afterAll(async () => {
      await running?.stop()
      await impatient?.stop()
      upstream?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    function generate(
      prompt: string,
      { stream = false, signal, url }: { stream?: boolean; signal?: AbortSignal; url?: string } = {},
    ) {
      const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
      const body = JSON.stringify({ model: 'chat', prompt, stream })
      return fetch(`${url ?? running.url}/generate`, { method: 'POST', headers, body, ...(signal && { signal }) })
    }

    test('a worker answers with a whole text, for several callers at once', async () => {
      const prompts = ['one', 'two', 'three', 'four']
      const replies = await Promise.all(prompts.map(async (prompt) => (await generate(prompt)).json()))
      expect(replies).toMatchObject(prompts.map((content) => ({ success: true, data: { content } })))
    })

    test('a worker streams each piece as it arrives', async () => {
      const response = await generate('Hello', { stream: true })
      let text = ''
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        text += piece
        if (text.includes('"Hel"')) upstream.release()
      }
      expect(text).toMatch(/"content":"Hel"[^]*"content":"lo"[^]*event: done/)
    })

    test('a client that leaves a stream closes the connection to the provider', async () => {
      const leaving = new AbortController()
      const response = await generate('Goodbye', { stream: true, signal: leaving.signal })
      await response.body!.getReader().read()
      leaving.abort()
      await expect.poll(() => [...upstream.closed]).toContain('Goodbye')
    })

    // Miniflare does not tell a worker that its client has left before the response.
    test.skipIf(id === 'workers')(
      'a client that does not wait for a whole text closes the connection to the provider',
      async () => {
        const leaving = new AbortController()
        const asked = generate('hang until I leave', { signal: leaving.signal }).catch((error: Error) => error.name)
        await expect.poll(() => [...upstream.received]).toContain('hang until I leave')
        leaving.abort()
        expect(await asked).toBe('AbortError')
        await expect.poll(() => [...upstream.closed]).toContain('hang until I leave')
      },
    )

    test('an error of the provider is passed on', async () => {
      const response = await generate('fail')
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { success: false, error: { message: 'The request was rejected by the provider: the sky is red' } },
      ])
    })

    test('a provider that does not respond is abandoned at the deadline', async () => {
      const response = await generate('hang', { url: impatient.url })
      expect([response.status, await response.json()]).toMatchObject([504, { error: { code: 'PROVIDER_TIMEOUT' } }])
      await expect.poll(() => [...upstream.closed]).toContain('hang')
    })
  })
}
