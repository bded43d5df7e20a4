import {
  collectAnswer,
  type ProviderCall,
  ProviderError,
  type TextEvent,
  type TextRequest,
} from '@fairlead/core/provider'
import { type ImportBinding, loadBinding } from './binding.ts'
import { openEmbedder } from './embedder.ts'
import { openEngine } from './engine.ts'
import { EventQueue } from './event-queue.ts'
import { readModelFile } from './model-file.ts'
import { Lazy } from './lazy.ts'
import type { LlamaCppOptions, LlamaCppProvider } from './options.ts'
import { raceAbort, SerialQueue } from './serial-queue.ts'
import { unusedOptions } from './unused-options.ts'
import { writeAnswer } from './write-answer.ts'

const defaultWaiting = 16
/** Calls at once: one is generated, while the reader of the other may be slow. */
const atOnce = 2

/** While a call waits for its turn, or for the model to load. */
const aliveEveryMs = 15_000

export function providerOver(options: LlamaCppOptions, importBinding: ImportBinding): LlamaCppProvider {
  const queue = new SerialQueue()
  const closing = new AbortController()
  const file = new Lazy(async () => readModelFile(await loadBinding(importBinding), options))
  const engine = new Lazy(async () => {
    closing.signal.throwIfAborted()
    return openEngine(await file.get(), options)
  })
  const embedder = new Lazy(async () => {
    closing.signal.throwIfAborted()
    return openEmbedder(await file.get(), options)
  })

  async function requireModel(asked: string, kind: 'generates' | 'embeds'): Promise<void> {
    const { model } = await file.get()
    if (asked !== model.id) {
      const message = `unknown model "${asked}"; the only model is "${model.id}"`
      throw new ProviderError('invalid_request', message, { field: 'model' })
    }
    if ((model.embedding ? 'embeds' : 'generates') === kind) return
    const detail = `"${model.id}" only ${model.embedding ? 'embeds' : 'generates'} texts`
    throw new ProviderError('invalid_request', detail, { field: 'model', detail })
  }

  async function write(request: TextRequest, signal: AbortSignal, say: (event: TextEvent) => void): Promise<void> {
    const pings = setInterval(() => say({ type: 'alive' }), aliveEveryMs)
    try {
      await queue.run(signal, async () => {
        await requireModel(request.model, 'generates')
        const loaded = await raceAbort(engine.get(), signal)
        clearInterval(pings)
        await writeAnswer(loaded, request, signal, say)
      })
    } finally {
      clearInterval(pings)
    }
  }

  async function* streamText(request: TextRequest, call: ProviderCall): AsyncGenerator<TextEvent, void, undefined> {
    const events = new EventQueue<TextEvent>()
    const left = new AbortController()
    const signal = AbortSignal.any([call.signal, left.signal, closing.signal])
    // Generation continues while the reader is slow, so that other calls do not wait for the reader.
    events.endWith(write(request, signal, (event) => events.push(event)))
    try {
      yield* events.read()
    } finally {
      left.abort()
    }
  }

  return {
    contract: 2,
    id: 'llama-cpp',
    capacities: [{ concurrency: atOnce, queue: options.waiting ?? defaultWaiting }],
    models: async () => [(await file.get()).model],
    generateText: (request, call) => collectAnswer(streamText(request, call)),
    streamText,
    async embed({ model, texts, providerOptions }, call) {
      const signal = AbortSignal.any([call.signal, closing.signal])
      const work = queue.run(signal, async () => {
        await requireModel(model, 'embeds')
        const embedded = await (await embedder.get()).embed(texts, signal)
        return { ...embedded, warnings: unusedOptions({ providerOptions }) }
      })
      // llama.cpp finishes a text that it has pending.
      call.waitUntil?.(work)
      return await raceAbort(work, signal)
    },
    async warmUp() {
      const { model } = await file.get()
      await (model.embedding ? embedder.get() : engine.get())
    },
    async close() {
      closing.abort(new ProviderError('give_up', 'the provider is closed'))
      await queue.idle()
      for (const { pending } of [engine, embedder]) await (await pending?.catch(() => undefined))?.close()
    },
  }
}
