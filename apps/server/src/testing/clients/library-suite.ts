import { describe, expect, test } from 'vitest'
import { runProgram, skipReason } from './run-client.ts'
import { serveDemo, serveEcho } from './serve.ts'
import { type ClientId, clients } from './table.ts'

/** The output of a program in `programs` for each API that its library speaks. */
interface Results {
  readonly text: string
  readonly streamed: string
  /** The results of its tool. */
  readonly written: readonly string[]
  /** The answer after that. */
  readonly closing: string
}

const content = /^wrote Hello there\n? to hello\.txt$/

/** Runs a program with a library as its package comes, in its default configuration. */
export function librarySuite(id: ClientId): void {
  const { name } = clients[id]
  const reason = skipReason(id)
  describe.skipIf(reason)(`${name}${reason === undefined ? '' : `: ${reason}`}`, () => {
    test('the library gets a text, a stream, and a call of its tool from the demo', async () => {
      const demo = await serveDemo()
      const { dimensions = 1_024, ...printed } = await runProgram(id, { URL: demo.url, KEY: demo.apiKey })
      for (const { text, streamed, written, closing } of Object.values(printed) as Results[]) {
        expect([text, streamed]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
        expect(written).toEqual([expect.stringMatching(content)])
        expect(closing).toContain("Fairlead's demo, a script and not a language model")
      }
      expect(dimensions).toBe(1_024)
      demo.expectSuccess()
    })

    test('the library has what it means reach the API of a vendor, and gets the answers', async () => {
      const echo = await serveEcho({ name: 'write_file', input: { path: 'hello.txt', content: 'Hello there' } })
      const { dimensions = 1_536, ...printed } = await runProgram(id, { URL: echo.url, KEY: echo.apiKey })
      for (const { text, streamed, written, closing } of Object.values(printed) as Results[]) {
        expect([text, streamed]).toEqual(['Echo: Say four words', 'Echo: Say four words'])
        expect(written).toEqual([expect.stringMatching(content)])
        expect(closing).toBe('The file is there.')
      }
      expect(dimensions).toBe(1_536)
      echo.expectReceived('Say four words', '"write_file"', 'wrote Hello there', '_echo_1')
    })
  })
}
