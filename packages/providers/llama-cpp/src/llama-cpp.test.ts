import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProviderCall, type TextEvent, answerText, type TextRequest } from '@fairlead/core/provider'
import { longestBlockMs, withinASecond } from '@fairlead/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tinyModel, type TinyModelOptions } from '../tiny-model/tiny-model.ts'
import { whyNotHere } from '../tiny-model/why-not-here.ts'
import { llamaCpp } from './llama-cpp.ts'
import type { LlamaCppOptions, LlamaCppProvider } from './options.ts'

const reason = await whyNotHere()
const mustRun = process.env['CI'] === 'true' && process.platform === 'linux' && process.arch === 'x64'
if (reason && !mustRun) process.stderr.write(`\n*** SKIPPED: the tests of llama.cpp (${reason}). ***\n\n`)

let folder: string
let shared: LlamaCppProvider

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairlead-llama-'))
  shared = llamaCpp({ path: await modelFile('shared-tiny') })
})

afterAll(async () => {
  await shared.close()
  await rm(folder, { recursive: true })
})

async function modelFile(name: string, options?: TinyModelOptions): Promise<string> {
  const path = join(folder, `${name}.gguf`)
  await writeFile(path, tinyModel(options))
  return path
}

function opened(options: LlamaCppOptions): LlamaCppProvider {
  const provider = llamaCpp(options)
  onTestFinished(() => provider.close())
  return provider
}

interface Asked extends Partial<TextRequest> {
  readonly prompt?: string
}

function asking({ prompt = 'bade fogu', ...about }: Asked = {}): TextRequest {
  return {
    model: 'shared-tiny',
    messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    maxTokens: 40,
    temperature: 1,
    topP: 1,
    frequencyPenalty: 0,
    presencePenalty: 0,
    seed: 7,
    ...about,
  }
}

function calling(about: Partial<ProviderCall> = {}): ProviderCall {
  return { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1', ...about }
}

async function write(about?: Asked) {
  const answer = await shared.generateText(asking(about), calling())
  return { ...answer, content: answerText(answer) }
}

async function read(events: AsyncIterable<TextEvent>): Promise<TextEvent[]> {
  const all: TextEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** A stream that is read by hand. */
const streamed = (provider: LlamaCppProvider, request: TextRequest, call = calling()) =>
  provider.streamText(request, call)[Symbol.asyncIterator]() as AsyncGenerator<TextEvent, void>

const textIn = (events: readonly TextEvent[]) =>
  events.map((event) => (event.type === 'part_delta' ? event.text : '')).join('')

/** How many of the syllables in a text are different. */
const variety = (text: string) => new Set(text.match(/[b-z][aeiou]/g)).size

/** Writes for minutes unless it is stopped. */
async function endless(name: string, options: Partial<LlamaCppOptions> = {}) {
  const path = await modelFile(name, { contextLength: 100_000 })
  const provider = opened({ path, contextSize: 100_000, ...options })
  await provider.warmUp()
  return { provider, request: asking({ model: name, maxTokens: 99_000 }) }
}

describe.runIf(mustRun)('continuous integration', () => {
  test('continuous integration has the binary of llama.cpp', () => {
    expect(reason).toBeUndefined()
  })
})

describe.skipIf(reason && !mustRun)('llamaCpp', () => {
  test('llamaCpp names its model after the file and lists the facts of the file', async () => {
    const path = await modelFile('My Tiny-Q8_0', { name: 'Tiny the Second', contextLength: 256 })
    const { models } = opened({ path })
    expect(typeof models === 'function' && (await models(calling()))).toEqual([
      expect.objectContaining({
        type: 'text',
        id: 'My-Tiny-Q8_0',
        name: 'Tiny the Second',
        maxTokens: 255,
        seed: true,
      }),
    ])
  })

  test('llamaCpp uses the configured id and context size', async () => {
    const { models } = opened({ path: await modelFile('given'), id: 'mine', contextSize: 64 })
    expect(typeof models === 'function' && (await models(calling()))).toMatchObject([{ id: 'mine', maxTokens: 63 }])
  })

  test('llamaCpp writes maxTokens tokens, and counts them and those of the prompt', async () => {
    // The beginning of text, "▁ba", "de", "▁fo", "gu".
    await expect(write({ maxTokens: 12 })).resolves.toMatchObject({
      finishReason: 'length',
      usage: { promptTokens: 5, completionTokens: 12 },
      warnings: [],
    })
  })

  test('llamaCpp streams the same text as it returns complete', async () => {
    const events = await read(shared.streamText(asking(), calling()))
    const { content, finishReason, usage } = await write()
    expect(events.length).toBeGreaterThan(20)
    expect(textIn(events)).toBe(content)
    expect(events.at(-1)).toEqual({ type: 'finish', finishReason, usage, warnings: [] })
  })

  test('llamaCpp repeats a text only for the same seed', async () => {
    const [first, again, other] = [await write(), await write(), await write({ seed: 8 })]
    expect(again).toEqual(first)
    expect(other.content).not.toBe(first.content)
  })

  test.each([-1, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER])('llamaCpp repeats a text for the seed %d', async (seed) => {
    expect(await write({ seed })).toEqual(await write({ seed }))
  })

  test('llamaCpp writes a new text each time without a seed', async () => {
    const { seed: _, ...unseeded } = asking()
    const [one, two] = [await shared.generateText(unseeded, calling()), await shared.generateText(unseeded, calling())]
    expect(answerText(one)).not.toBe(answerText(two))
  })

  test('llamaCpp chooses the most likely token at temperature 0 and at top_p 0', async () => {
    const coldest = await write({ temperature: 0 })
    expect(await write({ temperature: 0, seed: 8 })).toEqual(coldest)
    expect(await write({ topP: 0, seed: 9 })).toEqual(coldest)
  })

  test('llamaCpp has less choice with a lower top_p and more with a higher temperature', async () => {
    const firstWords = async (about: Partial<TextRequest>) => {
      const words = new Set<string>()
      for (let seed = 0; seed < 30; seed++) words.add((await write({ ...about, maxTokens: 1, seed })).content)
      return words.size
    }
    const free = await firstWords({})
    expect(await firstWords({ topP: 0.3 })).toBeLessThan(free)
    expect(await firstWords({ temperature: 2 })).toBeGreaterThan(free)
  })

  test('llamaCpp repeats less with penalties of either kind, and more with a negative one', async () => {
    const long = { maxTokens: 200, temperature: 0.5 }
    const plain = variety((await write(long)).content)
    expect(variety((await write({ ...long, frequencyPenalty: 1 })).content)).toBeGreaterThan(plain)
    expect(variety((await write({ ...long, presencePenalty: 2 })).content)).toBeGreaterThan(plain)
    expect(variety((await write({ ...long, frequencyPenalty: -1 })).content)).toBeLessThan(plain)
  })

  test('llamaCpp ends before a stop sequence, also within a token', async () => {
    const whole = await write()
    const stop = whole.content.slice(21, 26)
    const ended = await write({ stop: ['never written', stop] })
    const content = whole.content.slice(0, whole.content.indexOf(stop))
    expect(ended).toMatchObject({ content, finishReason: 'stop', stopSequence: stop })
    expect(ended.usage!.completionTokens).toBeLessThan(whole.usage!.completionTokens)
  })

  test('llamaCpp streams no part of a stop sequence', async () => {
    const { content } = await write()
    const stop = content.slice(21, 26)
    const events = await read(shared.streamText(asking({ stop: [stop] }), calling()))
    expect(textIn(events)).toBe(content.slice(0, content.indexOf(stop)))
  })

  test('llamaCpp ends at the model’s end token', async () => {
    const whole = await write({ temperature: 0 })
    const word = /^\S+ ([a-z]{2})/.exec(whole.content.trim())![1]!
    const path = await modelFile('ending', { end: `\u2581${word}` })
    const ended = await opened({ path }).generateText(asking({ model: 'ending', temperature: 0 }), calling())
    expect(ended.finishReason).toBe('stop')
    expect(whole.content.startsWith(`${answerText(ended)} ${word}`)).toBe(true)
    expect(ended.usage!.completionTokens).toBeLessThan(40)
  })

  test('llamaCpp rejects a prompt that exceeds the context with too_long', async () => {
    await expect(write({ prompt: 'bade '.repeat(300) })).rejects.toMatchObject({
      name: 'ProviderError',
      failure: 'too_long',
      field: 'messages',
      detail: expect.stringMatching(/^has 60\d tokens; this model accepts at most 511$/),
    })
  })

  test('llamaCpp warns when the context is full', async () => {
    const { usage, finishReason, warnings } = await write({ prompt: 'bade '.repeat(240), maxTokens: 500 })
    expect(usage!.promptTokens + usage!.completionTokens).toBe(512)
    expect(finishReason).toBe('length')
    expect(warnings).toEqual([
      { field: 'maxTokens', issue: expect.stringContaining(`${usage!.completionTokens} tokens`) },
    ])
  })

  test('llamaCpp rejects an unknown model', async () => {
    await expect(write({ model: 'other' })).rejects.toMatchObject({ failure: 'invalid_request', field: 'model' })
  })

  test('llamaCpp uses the chat template of the file', async () => {
    const chatTemplate =
      "{% for message in messages %}[{{ message['role'] }}] {{ message['content'] }}</s>{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"
    const path = await modelFile('chat', { chatTemplate })
    const answer = await opened({ path }).generateText(asking({ model: 'chat' }), calling())
    expect(answerText(answer)).not.toBe('')
    // "[user] " and "[assistant]" are 18 bytes and letters more.
    expect(answer.usage!.promptTokens).toBeGreaterThan(20)
  })

  test('llamaCpp reads special tokens in a prompt as plain text', async () => {
    const { usage } = await write({ prompt: '</s>', maxTokens: 1 })
    expect(usage!.promptTokens).toBeGreaterThan(4)
  })
})

describe.skipIf(reason && !mustRun)('a call of llamaCpp', () => {
  test('a call of llamaCpp stops within a second of an abort and continues with the next call', async () => {
    const { provider, request } = await endless('aborted')
    const caller = new AbortController()
    const stream = streamed(provider, request, calling({ signal: caller.signal }))
    await stream.next()
    const whole = provider.generateText(request, calling({ signal: caller.signal }))
    const ended = Promise.allSettled([whole, read(stream)])
    const left = new Error('the caller left')
    caller.abort(left)
    expect(await withinASecond(ended)).toMatchObject([{ reason: left }, { reason: left }])
    const next = provider.generateText({ ...request, maxTokens: 1 }, calling())
    expect(await withinASecond(next)).toHaveProperty('parts')
  })

  test('a call of llamaCpp stops while it reads the prompt', async () => {
    const { provider, request } = await endless('reading')
    const caller = new AbortController()
    const answer = provider.generateText(
      { ...request, messages: asking({ prompt: 'bade '.repeat(19_000) }).messages },
      calling({ signal: caller.signal }),
    )
    const timer = setTimeout(() => caller.abort(new Error('the caller left')), 50)
    onTestFinished(() => clearTimeout(timer))
    await expect(answer).rejects.toThrow('the caller left')
  })

  test('a call of llamaCpp is not started for an aborted call', async () => {
    const left = calling({ signal: AbortSignal.abort(new Error('gone')) })
    await expect(shared.generateText(asking(), left)).rejects.toThrow('gone')
  })

  test('a call of llamaCpp waits while another call runs, and limits the queue in core', async () => {
    const { provider, request } = await endless('busy', { waiting: 1 })
    expect(provider.capacities).toEqual([{ concurrency: 2, queue: 1 }])
    const first = streamed(provider, request)
    await first.next()
    const second = provider.generateText({ ...request, maxTokens: 3 }, calling())
    await first.return()
    await expect(second).resolves.toMatchObject({ usage: { completionTokens: 3 } })
  })

  test('a call of llamaCpp does not delay other calls for a slow reader', async () => {
    const slow = streamed(shared, asking())
    const { value: beginning } = await slow.next()
    const { content } = await write()
    expect(textIn([beginning as TextEvent, ...(await read(slow))])).toBe(content)
  })

  test('a call of llamaCpp does not block the event loop', async () => {
    await shared.warmUp()
    expect(await longestBlockMs(() => write({ maxTokens: 400 }), 50)).toBeLessThanOrEqual(50)
  })
})

describe.skipIf(reason && !mustRun)('closing llamaCpp', () => {
  test('closing llamaCpp ends running calls and rejects new ones', async () => {
    const { provider, request } = await endless('closed')
    const stream = streamed(provider, request)
    await stream.next()
    await provider.close()
    await expect(read(stream)).rejects.toMatchObject({ failure: 'give_up' })
    await expect(provider.generateText(request, calling())).rejects.toMatchObject({ failure: 'give_up' })
  })

  test('closing llamaCpp needs no file if nothing was loaded', async () => {
    await expect(llamaCpp({ path: '/nowhere.gguf' }).close()).resolves.toBeUndefined()
  })
})

describe.skipIf(reason && !mustRun)('loading of llamaCpp', () => {
  test.each([
    ['that is not there', undefined, /missing\.gguf cannot be read\. Set path to an existing GGUF file\./],
    ['that is no GGUF', Buffer.from('hello there'), /is not a valid GGUF file: .*magic/],
    [
      'that ends too early',
      tinyModel().subarray(0, 60_000),
      // llama.cpp sometimes prints why, in place of logging it.
      /cannot be loaded: Failed to load model.*whether the file is complete/,
    ],
  ])('loading of llamaCpp describes the problem of a file %s', async (_, bytes, message) => {
    const path = join(folder, bytes ? 'broken.gguf' : 'missing.gguf')
    if (bytes) await writeFile(path, bytes)
    await expect(opened({ path }).warmUp()).rejects.toMatchObject({
      failure: 'give_up',
      message: expect.stringMatching(message),
    })
  })

  test('loading of llamaCpp is tried again after a failure', async () => {
    const path = join(folder, 'late-file.gguf')
    const provider = opened({ path })
    await expect(provider.warmUp()).rejects.toThrow('cannot be read')
    await writeFile(path, tinyModel())
    await expect(provider.warmUp()).resolves.toBeUndefined()
  })
})
