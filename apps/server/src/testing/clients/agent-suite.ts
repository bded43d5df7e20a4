import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ToolUse } from './echo-dialect.ts'
import { type ClientRun, runClient, skipReason, workplace } from './run-client.ts'
import { serveDemo, serveEcho, type Serving } from './serve.ts'
import { type ClientId, clients } from './table.ts'

export interface Agent {
  /** How it is started with a prompt, as its makers document it for another server. */
  run(prompt: string, service: Pick<Serving, 'url' | 'apiKey'>, folders: ReturnType<typeof workplace>): ClientRun
  /** The call of the tool with which it writes `hello.txt` into a folder. */
  call(folder: string): ToolUse
}

const prompt = 'Create hello.txt with the text Hello there'
const written = (folder: string) => readFileSync(join(folder, 'hello.txt'), 'utf8').trim()

/** The patch that writes the file, for agents whose tool takes one. */
export const patch = '*** Begin Patch\n*** Add File: hello.txt\n+Hello there\n*** End Patch'

/** Runs a coding agent as its package comes. */
export function agentSuite(id: ClientId, { run, call }: Agent): void {
  const { name } = clients[id]
  const reason = skipReason(id)
  describe.skipIf(reason)(`${name}${reason === undefined ? '' : `: ${reason}`}`, () => {
    test('the agent prints the answer of the demo, and writes a file with its own tools', async () => {
      const demo = await serveDemo()
      const place = workplace()
      const output = await runClient(id, run(prompt, demo, place), place)
      expect(output).toContain("Fairlead's demo, a script and not a language model")
      expect(written(place.folder)).toBe('Hello there')
      demo.expectSuccess()
    })

    test('the agent has its prompt, its tools, and their results reach the API of a vendor', async () => {
      const place = workplace()
      const use = call(place.folder)
      const echo = await serveEcho(use)
      const output = await runClient(id, run(prompt, echo, place), place)
      expect(output).toContain('The file is there.')
      expect(written(place.folder)).toBe('Hello there')
      echo.expectReceived(prompt, JSON.stringify(use.name), '_echo_1')
    })

    test('the agent prints a plain text that a vendor streams', async () => {
      const place = workplace()
      const echo = await serveEcho()
      const output = await runClient(id, run('Say four words', echo, place), place)
      expect(output).toMatch(/Echo: "?Say four words/)
      echo.expectReceived('Say four words')
    })
  })
}
