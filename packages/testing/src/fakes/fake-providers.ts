import {
  type TextEvent,
  type TextFinish,
  type ImageAnswer,
  type Provider,
  type ProviderCall,
  type Analysis,
  textAnswer,
  textEvents,
  type ImageModel,
  type TextModel,
  ProviderError,
  type ProviderErrorOptions,
  type ProviderFailure,
} from '@fairlead/core/provider'
import { blankPng } from './blank-png.ts'

const free = { input: 0, output: 0 }

/** A text model for tests, called `any`. */
export function fakeTextModel(facts: Partial<TextModel> = {}): TextModel {
  return {
    id: 'any',
    type: 'text',
    name: 'Any',
    description: 'Returns the text of a test.',
    maxTokens: 200,
    pricing: free,
    ...facts,
  }
}

/** An image model for tests, called `picture`. */
export function fakeImageModel(facts: Partial<ImageModel> = {}): ImageModel {
  return {
    id: 'picture',
    type: 'image',
    name: 'Picture',
    description: 'Returns blank images.',
    maxTokens: 200,
    pricing: free,
    sizes: ['1024x1024', '256x256'],
    ...facts,
  }
}

/** The start of a stream of text, whose part stays open. */
export function begun(...pieces: readonly string[]): readonly TextEvent[] {
  const deltas = pieces.map((text) => ({ type: 'part_delta', index: 0, text }) as const)
  return [{ type: 'part_start', index: 0, part: { type: 'text', text: '' } }, ...deltas]
}

/** The end of a stream that has begun. */
export function textEnd(facts: Partial<TextFinish> = {}): readonly TextEvent[] {
  return [
    { type: 'part_end', index: 0 },
    { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 }, ...facts },
  ]
}

/** Returns the same text for every prompt, whole or streamed word by word. */
export function scripted(id: string, content: string, answer: Partial<TextFinish> = {}): Provider {
  const finish = {
    finishReason: 'stop',
    usage: { promptTokens: 2, completionTokens: content.split(' ').length },
    ...answer,
  } as const
  return {
    contract: 2,
    id,
    models: [fakeTextModel({ streaming: true })],
    generateText: async () => textAnswer(content, finish),
    streamText: () => textEvents(content.split(/(?= )/), finish),
  }
}

/** Fails every call with the same error. */
export function failing(id: string, failure: ProviderFailure, options: ProviderErrorOptions = {}): Provider {
  const fail = async (): Promise<never> => {
    throw new ProviderError(failure, `${id} always fails`, options)
  }
  return { contract: 2, id, models: [fakeTextModel(), fakeImageModel()], generateText: fail, generateImage: fail }
}

/** Returns or throws the outcomes one after the other, and then repeats the last one. */
export function sequenced(
  id: string,
  ...outcomes: readonly [string | Error, ...(string | Error)[]]
): Provider & { readonly asked: number } {
  let asked = 0
  const outcome = (): string => {
    const next = outcomes[Math.min(asked++, outcomes.length - 1)] ?? ''
    if (next instanceof Error) throw next
    return next
  }
  const finish = { usage: { promptTokens: 1, completionTokens: 1 } }
  function* pieces() {
    yield outcome()
  }
  return {
    contract: 2,
    id,
    models: [fakeTextModel({ streaming: true })],
    get asked() {
      return asked
    },
    generateText: async () => textAnswer(outcome(), finish),
    streamText: () => textEvents(pieces(), finish),
  }
}

/** Holds its calls until the test releases them. */
export function held(id: string): Provider & {
  readonly calls: readonly ProviderCall[]
  release(content: string): void
} {
  const calls: ProviderCall[] = []
  const waiting: ((content: string) => void)[] = []
  return {
    contract: 2,
    id,
    models: [fakeTextModel()],
    calls,
    release: (content) => waiting.splice(0).forEach((settle) => settle(content)),
    generateText: (_request, call) =>
      new Promise((resolve) => {
        calls.push(call)
        waiting.push((content) => resolve(textAnswer(content, { usage: { promptTokens: 1, completionTokens: 1 } })))
      }),
  }
}

/** Returns blank images of the requested size. */
export function fakePainter(id: string, answer: Partial<ImageAnswer> = {}): Provider {
  return {
    contract: 2,
    id,
    models: [fakeImageModel()],
    generateImage: async ({ width, height }) => ({ png: blankPng(width, height), ...answer }),
  }
}

/** Embeds texts: the first number is the length of the text, and the others are 0.5. Its model is called `vectors`. */
export function embedder(id: string, facts: Partial<TextModel> = {}): Provider & Required<Pick<Provider, 'embed'>> {
  const { embedding = { dimensions: 4 }, ...others } = facts
  return {
    contract: 2,
    id,
    models: [fakeTextModel({ id: 'vectors', ...others, embedding })],
    embed: async ({ texts, dimensions = embedding.dimensions }) => ({
      embeddings: texts.map((text) => new Float32Array(dimensions).fill(0.5).fill(text.length, 0, 1)),
      promptTokens: texts.reduce((sum, { length }) => sum + length, 0),
    }),
  }
}

/** Returns the same analysis for every text. */
export function reader(id: string, analysis: Analysis): Provider {
  return {
    contract: 2,
    id,
    models: [],
    analyzers: [{ id: 'eyes', tasks: { sentiment: ['en'], entities: ['en'], keywords: ['en', 'de'] } }],
    analyze: async () => ({ analysis }),
  }
}
