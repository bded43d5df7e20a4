import {
  collectAnswer,
  ProviderError,
  type ProviderCall,
  type TextEvent,
  type TextFinish,
  type TextRequest,
} from '@fairlead/core/provider'
import { type Binding, type ImportBinding, loadBinding } from './binding.ts'
import { type Embedder, openEmbedder } from './embedder.ts'
import { type Engine, openEngine } from './engine.ts'
import { type EventQueue, eventQueue } from './event-queue.ts'
import type { LlamaCppOptions, LlamaCppProvider } from './options.ts'
import { type ModelFile, readModelFile } from './model-file.ts'
import { once } from './once.ts'
import { limitTime, raceAbort } from './time-limit.ts'
import { createTurns } from './turns.ts'
import { unusedOptions } from './unused-options.ts'
import { writeAnswer } from './write-answer.ts'

const defaultWaiting = 16
/** Calls at once: one is generated, while the reader of the other may be slow. */
const atOnce = 2

/** While a call waits for its turn, or for the model to load. */
const aliveEveryMs = 15_000

export function providerOver(options: LlamaCppOptions, importBinding: ImportBinding): LlamaCppProvider {
  const waiting = options.waiting ?? defaultWaiting
  const turns = createTurns({ waiting, now: () => performance.now() })
  const closing = new AbortController()
  const file = once(async (): Promise<{ readonly binding: Binding; readonly file: ModelFile }> => {
    const binding = await loadBinding(importBinding)
    return { binding, file: await readModelFile(binding, options) }
  })
  const engine = once(async (): Promise<{ readonly engine: Engine; readonly file: ModelFile }> => {
    closing.signal.throwIfAborted()
    const found = await file.get()
    return { engine: await openEngine(found.binding, found.file, options), file: found.file }
  })
  const embedder = once(async (): Promise<Embedder> => {
    closing.signal.throwIfAborted()
    const found = await file.get()
    return openEmbedder(found.binding, found.file, options)
  })

  async function requireModel(asked: string, kind: 'generates' | 'embeds'): Promise<void> {
    const { model } = (await file.get()).file
    if (asked !== model.id) throw unknownModel(asked, model.id)
    if ((model.embedding ? 'embeds' : 'generates') === kind) return
    const detail = `"${model.id}" only ${model.embedding ? 'embeds' : 'generates'} texts`
    throw new ProviderError('invalid_request', detail, { field: 'model', detail })
  }

  async function answer(
    request: TextRequest,
    call: ProviderCall,
    say: (event: TextEvent) => void,
  ): Promise<TextFinish> {
    using limit = limitTime(call, closing.signal)
    const { signal } = limit
    const pings = setInterval(() => say({ type: 'alive' }), aliveEveryMs)
    let endTurn = () => {}
    try {
      endTurn = await turns.take(signal)
      await requireModel(request.model, 'generates')
      const loaded = await raceAbort(engine.get(), signal)
      clearInterval(pings)
      const { contextSize } = loaded.file
      return await writeAnswer(loaded.engine, request, { contextSize, signal, say })
    } finally {
      clearInterval(pings)
      endTurn()
    }
  }

  async function pour(request: TextRequest, call: ProviderCall, events: EventQueue<TextEvent>): Promise<void> {
    try {
      const finish = await answer(request, call, (event) => events.push(event))
      events.push({ type: 'finish', ...finish })
      events.end()
    } catch (error) {
      events.fail(error)
    }
  }

  async function* streamText(request: TextRequest, call: ProviderCall): AsyncGenerator<TextEvent, void, undefined> {
    const events = eventQueue<TextEvent>()
    const left = new AbortController()
    const signal = AbortSignal.any([call.signal, left.signal])
    // Generation continues while the reader is slow, so that other calls do not wait for the reader.
    void pour(request, { ...call, signal }, events)
    try {
      yield* events.read()
    } finally {
      left.abort()
    }
  }

  return {
    contract: 2,
    id: 'llama-cpp',
    capacities: [{ concurrency: atOnce, queue: waiting }],
    models: async () => [(await file.get()).file.model],
    generateText: (request, call) => collectAnswer(streamText(request, call)),
    streamText,
    async embed({ model, texts, providerOptions }, call) {
      using limit = limitTime(call, closing.signal)
      const { signal } = limit
      const endTurn = await turns.take(signal)
      const work = (async () => {
        try {
          await requireModel(model, 'embeds')
          const embedded = await (await embedder.get()).embed(texts, signal)
          return { ...embedded, warnings: unusedOptions({ providerOptions }) }
        } finally {
          endTurn()
        }
      })()
      // llama.cpp finishes a text that it has begun.
      call.waitUntil?.(work)
      return await raceAbort(work, signal)
    },
    async warmUp() {
      const { model } = (await file.get()).file
      await (model.embedding ? embedder.get() : engine.get())
    },
    async close() {
      closing.abort(new ProviderError('give_up', 'the provider is closed'))
      await turns.idle()
      const loaded = await engine.begun()?.catch(() => undefined)
      await loaded?.engine.close()
      await (await embedder.begun()?.catch(() => undefined))?.close()
    },
  }
}

function unknownModel(asked: string, known: string): ProviderError {
  return new ProviderError('invalid_request', `unknown model "${asked}"; the only model is "${known}"`, {
    field: 'model',
  })
}
