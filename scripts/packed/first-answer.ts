import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A program that asks a model of OpenAI's API for one text, up to the import of its packages and from there on. */
export interface Library {
  readonly imports: readonly string[]
  /** Its modules are `one` and `two`, and the base URL of the API is `url`. */
  readonly ask: string
}

export const fairlead: Library = {
  imports: ['@fairlead/core', '@fairlead/provider-openai-compatible'],
  ask: `const provider = two.openaiCompatible({ id: 'openai', baseUrl: url, apiKey: 'sk-1', models: [{ id: 'gpt-4o', type: 'text', name: 'GPT', description: '', maxTokens: 1000 }] })
const { generate } = one.createFairlead({ providers: [provider] })
const { content: text } = await generate({ model: 'gpt-4o', prompt: 'Hi' })`,
}

export const aiSdk: Library = {
  imports: ['ai', '@ai-sdk/openai'],
  ask: `const model = two.createOpenAI({ baseURL: url, apiKey: 'sk-1' }).chat('gpt-4o')
const { text } = await one.generateText({ model, prompt: 'Hi' })`,
}

/** In milliseconds, in a new process. */
export interface FirstAnswer {
  readonly importing: number
  /** From the start of the imports to the answer of a server on this machine. */
  readonly answered: number
}

/** Times the libraries in turn, each in a new process, so that a machine that is busy for a while slows all of them. */
export async function timeFirstAnswers<Name extends string>(
  folder: string,
  libraries: Readonly<Record<Name, Library>>,
  rounds: number,
): Promise<Readonly<Record<Name, readonly FirstAnswer[]>>> {
  const answer = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_770_000_000,
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const names = Object.keys(libraries) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as FirstAnswer[]])) as Record<Name, FirstAnswer[]>
  for (const name of names) writeFileSync(join(folder, `first-${name}.mjs`), toProgram(libraries[name]))
  try {
    // The first round fills the cache of files.
    for (let round = 0; round <= rounds; round++) {
      for (const name of names) {
        const { stdout } = await promisify(execFile)(process.execPath, [`first-${name}.mjs`, url], { cwd: folder })
        if (round > 0) times[name].push(JSON.parse(stdout) as FirstAnswer)
      }
    }
  } finally {
    server.close()
  }
  return times
}

function toProgram({ imports, ask }: Library): string {
  return `const url = process.argv[2]
const startedAt = performance.now()
const one = await import('${imports[0]}')
const two = await import('${imports[1] ?? imports[0]}')
const importedAt = performance.now()
${ask}
if (text !== 'Hello') throw new Error(text)
console.log(JSON.stringify({ importing: importedAt - startedAt, answered: performance.now() - startedAt }))
process.exit()
`
}
