import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  collectAnswer,
  type JsonSchema,
  type Message,
  type ProviderCall,
  answerText,
  type TextRequest,
} from '@fairlead/core/provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tinyModel } from '../tiny-model/tiny-model.ts'
import { whyNotHere } from '../tiny-model/why-not-here.ts'
import { llamaCpp } from './llama-cpp.ts'
import type { LlamaCppProvider } from './options.ts'

// That continuous integration has the binary is another test's to demand.
const reason = await whyNotHere()

/** Renders the roles, so that their bytes can be counted, and opens a block of reasoning. */
const plain =
  "{% for message in messages %}[{{ message['role'] }}]{{ message['content'] }}</s>{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"
const strict = `{% if messages[0]['role'] != 'user' %}{{ raise_exception('roles must alternate') }}{% endif %}${plain}`
const thinking =
  "{% for message in messages %}[{{ message['role'] }}]{% if message['role'] == 'assistant' %}<think>\n{% if message['reasoning_content'] %}{{ message['reasoning_content'] }}\n</think>\n\n{% endif %}{% endif %}{{ message['content'] }}</s>{% endfor %}{% if add_generation_prompt %}[assistant]<think>\n{% endif %}"

/** By the name of the model. */
const templates = {
  plain: { chatTemplate: plain },
  strict: { chatTemplate: strict },
  thinking: { chatTemplate: thinking },
  none: {},
}

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const system = (text: string): Message => ({ role: 'system', content: [{ type: 'text', text }] })
const call: ProviderCall = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

describe.skipIf(reason)('llamaCpp in a conversation', () => {
  let folder: string
  /** By file. Tests share one for each template, because to load a model takes longer than to ask it. */
  const opened = new Map<string, Promise<LlamaCppProvider>>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-llama-chat-'))
  })

  afterAll(async () => {
    await Promise.all([...opened.values()].map(async (provider) => (await provider).close()))
    await rm(folder, { recursive: true })
  })

  function open(name: keyof typeof templates): Promise<LlamaCppProvider> {
    const found = opened.get(name) ?? load(name)
    opened.set(name, found)
    return found
  }

  async function load(name: keyof typeof templates): Promise<LlamaCppProvider> {
    const path = join(folder, `${name}.gguf`)
    await writeFile(path, tinyModel({ contextLength: 2_048, ...templates[name] }))
    return llamaCpp({ path })
  }

  const request = (model: string, messages: readonly Message[], rest: Partial<TextRequest> = {}): TextRequest => ({
    model,
    messages,
    maxTokens: 20,
    temperature: 1,
    seed: 7,
    ...rest,
  })

  test('llamaCpp in a conversation lists a model with a template for conversations, and every model for JSON schemas', async () => {
    const listed = await Promise.all(
      [await open('plain'), await open('none')].map(({ models }) => (typeof models === 'function' ? models(call) : [])),
    )
    expect(listed.flat()).toMatchObject([
      { chat: true, structured: true },
      { chat: false, structured: true },
    ])
  })

  test('llamaCpp in a conversation renders every message of a conversation with the template', async () => {
    const { generateText } = await open('plain')
    const tokensOf = async (messages: readonly Message[]) =>
      (await generateText(request('plain', messages), call)).usage!.promptTokens
    const short = await tokensOf([user('bade')])
    const withSystem = await tokensOf([system('fogu'), user('bade')])
    const long = await tokensOf([system('fogu'), user('bade'), assistant('lomi'), user('bade')])
    expect(withSystem).toBeGreaterThan(short)
    expect(long).toBeGreaterThan(withSystem)
  })

  test('llamaCpp in a conversation continues the answer that a conversation ends with', async () => {
    const { generateText } = await open('plain')
    const ask = async (messages: readonly Message[]) => generateText(request('plain', messages), call)
    const fresh = await ask([user('bade')])
    const begun = await ask([user('bade'), assistant('lomi')])
    expect(begun.usage!.promptTokens).toBeGreaterThan(fresh.usage!.promptTokens)
    expect(begun.usage!.promptTokens).toBeLessThan(fresh.usage!.promptTokens + 8)
  })

  test('llamaCpp in a conversation renders tool calls of earlier answers with their results', async () => {
    const { generateText } = await open('plain')
    const called: Message = {
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'a', name: 'weather', inputText: '{"city":"Oslo"}', input: { city: 'Oslo' } }],
    }
    const result: Message = {
      role: 'tool',
      content: [{ type: 'tool_result', toolCallId: 'a', name: 'weather', content: [{ type: 'text', text: 'rain' }] }],
    }
    const { usage } = await generateText(request('plain', [user('bade'), called, result]), call)
    const { usage: without } = await generateText(request('plain', [user('bade')]), call)
    expect(usage!.promptTokens).toBeGreaterThan(without!.promptTokens + 10)
  })

  test('llamaCpp in a conversation reports reasoning as a part of the answer and counts its tokens', async () => {
    const { generateText, streamText } = await open('thinking')
    const answer = await generateText(request('thinking', [user('bade')]), call)
    expect(answer).toMatchObject({ parts: [{ type: 'reasoning' }], finishReason: 'length' })
    expect(answer.usage!.reasoningTokens).toBe(answer.usage!.completionTokens)
    expect(await collectAnswer(streamText(request('thinking', [user('bade')]), call))).toEqual(answer)
  })

  test('llamaCpp in a conversation leaves reasoning out when it is turned off, and says so', async () => {
    const { generateText } = await open('thinking')
    const answer = await generateText(request('thinking', [user('bade')], { reasoning: { effort: 'none' } }), call)
    expect(answer.parts).toEqual([])
    expect(answer.warnings).toMatchObject([{ field: 'reasoning' }])
  })

  test('llamaCpp in a conversation writes only JSON that satisfies a schema', async () => {
    const { generateText } = await open('plain')
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        kind: { enum: ['red', 'green "dark"'] },
        isOpen: { type: 'boolean' },
        tags: { type: 'array', items: { anyOf: [{ const: 'a' }, { type: 'null' }] }, maxItems: 3 },
        next: { $ref: '#/$defs/leaf' },
      },
      required: ['kind', 'isOpen', 'tags', 'next'],
      $defs: { leaf: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } },
    }
    for (const seed of [1, 2, 3, 4, 5]) {
      const responseFormat = { type: 'json_schema', schema } as const
      const answer = await generateText(
        request('plain', [user('bade')], { responseFormat, seed, maxTokens: 400 }),
        call,
      )
      const content = answerText(answer)
      expect(answer.finishReason).toBe('stop')
      expect(JSON.parse(content)).toEqual({
        kind: expect.stringMatching(/^(?:red|green "dark")$/),
        isOpen: expect.any(Boolean),
        tags: expect.any(Array),
        next: { ok: expect.any(Boolean) },
      })
      expect(content).toBe(content.trimEnd())
    }
  })

  test('llamaCpp in a conversation warns of keywords that the grammar does not enforce', async () => {
    const { generateText } = await open('plain')
    const schema: JsonSchema = { type: 'boolean', 'x-mark': 1, not: { const: true } }
    const answer = await generateText(
      request('plain', [user('bade')], { responseFormat: { type: 'json_schema', schema } }),
      call,
    )
    expect(JSON.parse(answerText(answer))).toEqual(expect.any(Boolean))
    expect(answer.warnings).toEqual([
      { field: 'responseFormat.schema', issue: 'llama.cpp does not enforce these keywords: x-mark, not' },
    ])
  })

  test('llamaCpp in a conversation begins with an object where JSON is asked for', async () => {
    const { generateText } = await open('none')
    const answer = await generateText(request('none', [user('bade')], { responseFormat: { type: 'json' } }), call)
    expect(answerText(answer)).toMatch(/^\{/)
  })

  test('llamaCpp in a conversation rejects a conversation that the template rejects', async () => {
    const { generateText } = await open('strict')
    await expect(generateText(request('strict', [assistant('lomi'), user('bade')]), call)).rejects.toMatchObject({
      failure: 'invalid_request',
      field: 'messages',
    })
  })

  test('llamaCpp in a conversation warns of its own provider options, which it has none of', async () => {
    const { generateText } = await open('plain')
    const providerOptions = { 'llama-cpp': { top_k: 3 }, other: { a: 1 } }
    const { warnings } = await generateText(request('plain', [user('bade')], { providerOptions }), call)
    expect(warnings).toMatchObject([{ field: 'providerOptions.llama-cpp.top_k' }])
  })
})
