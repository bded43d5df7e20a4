import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import { scripted, fakeTextModel } from '@fairlead/testing'
import { local } from '@fairlead/provider-local'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { announceDemo, demoCommands, demoHint } from './demo-commands.ts'
import { combineAliases } from './demo.ts'
import { runMain, temporaryFolder } from './testing/run-main.ts'
import { runServer } from './testing/run-server.ts'
import { welcome } from './welcome.ts'

const run = promisify(execFile)

async function serveDemo(providers = [local({ text: { demo: true } })]) {
  const server = await runServer({ FAIRLEAD_DEMO: 'on' }, providers)
  const apiKey = server.firstAdmin!.apiKey
  return { ...server, apiKey, openai: new OpenAI({ baseURL: `${server.baseUrl}/openai/v1`, apiKey, maxRetries: 0 }) }
}

const prompt = 'Write a haiku about rain'
const messages = [{ role: 'user' as const, content: prompt }]

describe('the demo', () => {
  test('the demo answers clients of OpenAI and Anthropic that ask for models of OpenAI, Anthropic, and Google', async () => {
    const { openai, baseUrl, apiKey } = await serveDemo()
    for (const model of ['gpt-5', 'claude-opus-5-5', 'gemini-3-pro']) {
      const { data, response } = await openai.chat.completions.create({ model, messages }).withResponse()
      expect([data.model, data.choices[0]?.message.content?.split('\n').length]).toEqual(['demo', 3])
      expect(response.headers.get('x-fairlead-warnings')).toContain('is an alias')
    }
    expect((await openai.responses.create({ model: 'gpt-5', input: prompt })).output_text.split('\n')).toHaveLength(3)
    const anthropic = new Anthropic({ baseURL: `${baseUrl}/anthropic`, apiKey, maxRetries: 0 })
    const stream = anthropic.messages.stream({ model: 'claude-haiku-5-5', max_tokens: 100, messages })
    expect((await stream.finalText()).split('\n')).toHaveLength(3)
  })

  test('the demo embeds texts and draws images for clients that ask for models of OpenAI', async () => {
    const { openai } = await serveDemo()
    const embedded = await openai.embeddings.create({ model: 'text-embedding-3-small', input: ['rain', 'sun'] })
    expect(embedded.data.map(({ embedding }) => embedding.length)).toEqual([1_024, 1_024])
    const drawn = await openai.images.generate({ model: 'gpt-image-1', prompt: 'the sea', size: '1024x1024' })
    expect(
      Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  test('the demo says in the list of models, and in the warnings of an answer, what it is', async () => {
    const { ask, apiKey } = await serveDemo()
    const { text } = await ask('POST', '/generate', { model: 'gpt-5', prompt }, apiKey)
    expect(JSON.parse(text).meta.warnings).toEqual([{ field: 'model', issue: '"gpt-5" is an alias; "demo" answered' }])
    const { data } = await ask('GET', '/models/gpt-5', undefined, apiKey)
    expect(data).toMatchObject({ id: 'demo', description: expect.stringContaining('Not a language model') })
  })

  test('the demo leaves a model to the provider that has it', async () => {
    const openai = { ...scripted('openai', 'the real one'), models: [fakeTextModel({ id: 'gpt-5', streaming: true })] }
    const server = await serveDemo([local({ text: { demo: true } }), openai])
    const answer = async (model: string) => {
      const { choices } = await server.openai.chat.completions.create({ model, messages })
      return choices[0]?.message.content
    }
    expect(await answer('gpt-5')).toBe('the real one')
    expect(await answer('claude-opus-5-5')).not.toBe('the real one')
  })

  test('the demo is off by default', async () => {
    const server = await runServer({}, [local()])
    const { status } = await server.ask('POST', '/generate', { model: 'gpt-5', prompt }, server.firstAdmin?.apiKey)
    expect(status).toBe(400)
  })

  test('the demo comes after the aliases of the configuration file', () => {
    const file = { 'gpt-4*': 'local/scribe', 'claude-*': 'local/mirror' }
    const aliases = combineAliases({ demo: true }, file, [local({ text: { demo: true } })])
    expect(Object.entries(aliases ?? {}).slice(0, 3)).toEqual([...Object.entries(file), ['gpt-image-*', 'local/vista']])
    expect(aliases).toMatchObject(file)
    expect(combineAliases({ demo: false }, file, [])).toBe(file)
  })

  test('the demo needs the embedded provider', () => {
    expect(() => combineAliases({ demo: true }, undefined, [scripted('openai', 'x')])).toThrow(
      'FAIRLEAD_DEMO=on needs the embedded provider: add "local" to FAIRLEAD_PROVIDERS',
    )
  })
})

/** The block of a text behind a line, up to the next empty line. */
function below(line: string, text: string): string {
  return text.split(`${line}\n\n`)[1]?.split('\n\n')[0] ?? ''
}

describe('what a start prints with the demo', () => {
  test('what a start prints with the demo has commands and code that answer when they are pasted', async () => {
    const { baseUrl, apiKey } = await serveDemo()
    const text = demoCommands({ baseUrl, apiKey, email: 'ada@example.com' })
    const { stdout: reply } = await run('sh', ['-c', below('curl:', text)])
    expect(JSON.parse(reply).choices[0].message.content.split('\n')).toHaveLength(3)
    // Beside the packages that it imports.
    const path = join(import.meta.dirname, `../pasted-${process.pid}.mjs`)
    onTestFinished(() => rmSync(path, { force: true }))
    writeFileSync(path, below('AI SDK, after npm install ai @ai-sdk/openai:', text))
    const { stdout } = await run(process.execPath, [path])
    expect(stdout.trim().split('\n')).toHaveLength(3)
  })

  test('what a start prints with the demo has no key outside of a terminal, where a file has the commands with it', async () => {
    const main = runMain({ FAIRLEAD_DATA_DIR: temporaryFolder(), FAIRLEAD_PROVIDERS: 'local', FAIRLEAD_DEMO: 'on' })
    const url = await main.url
    expect(main.output).toContain('The demo is on')
    expect(main.output).not.toContain('fl_')
    expect(main.output).not.toContain('--demo')
    expect(main.firstLogin).toMatch(
      new RegExp(`^ANTHROPIC_BASE_URL=${url}/anthropic ANTHROPIC_AUTH_TOKEN=fl_\\w{49} `, 'm'),
    )
  })

  test('what a start prints with the demo says on a later start how to get a key, because the service does not have it', () => {
    const start = { baseUrl: 'http://127.0.0.1:8080', email: 'ada@example.com', isTerminal: true, isFirst: false }
    expect(announceDemo(start)).toContain('npm run fairlead -- key create --user ada@example.com --name demo')
    expect(announceDemo(start)).toContain('ANTHROPIC_AUTH_TOKEN=fl_… claude')
    expect(announceDemo({ ...start, isTerminal: false })).toMatch(/^The demo is on: .*\n$/)
  })

  test('what a start prints with the demo replaces the examples of the first start, which names the option without the demo', async () => {
    const admin = { email: 'ada@example.com', apiKey: 'fl_x', signInToken: undefined }
    const text = welcome(admin, { baseUrl: 'http://127.0.0.1:8080', signup: false, hasLocalModels: true, demo: true })
    expect(text).toContain('FAIRLEAD_API_KEY=fl_x codex -c model_provider=fairlead')
    expect(text).not.toContain('scribe')
    const main = runMain({ FAIRLEAD_DATA_DIR: temporaryFolder() })
    await main.url
    expect(main.output).toContain(demoHint)
  })
})
