import { type FairleadCore, requireCore, requireOptions } from '@fairlead/core/adapter'
import {
  type Endpoint,
  type Surface,
  type SurfaceAdapter,
  surfaceAdapter,
  type SurfaceOptions,
  surfaceOptionNames,
} from '@fairlead/http'
import { errorStatus, toErrorBody } from './errors.ts'
import { chatCompletions } from './chat-completions.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { imageGenerations } from './images.ts'
import { models } from './models.ts'
import { responses } from './responses.ts'

const example = 'openaiAdapter(fairlead.core)'

const generating = [chatCompletions, responses, completions, embeddings, imageGenerations]

export interface OpenaiAdapterOptions extends SurfaceOptions {
  /**
   * Whether the `metadata` of every request are its tags. Each value is kept in sums of usage, so allow it where you
   * trust all callers. Default: false, only for keys with `tagsFromMetadata`.
   */
  readonly tagsFromMetadata?: boolean | undefined
}

/** An endpoint that takes tags from the metadata of its requests. */
function tagging({ translate, ...endpoint }: Endpoint): Endpoint {
  return {
    ...endpoint,
    translate(request) {
      const translation = translate(request)
      return { ...translation, tags: translation.metadata }
    },
  }
}

/**
 * OpenAI's API over the operations of a core. Mount it where clients expect `/v1`.
 *
 * @example
 *   app.use('/openai/v1', openaiAdapter(fairlead.core)) // Express
 *   new OpenAI({ baseURL: 'http://localhost:8080/openai/v1', apiKey: 'fl_…' })
 */
export function openaiAdapter(core: FairleadCore, options: OpenaiAdapterOptions = {}): SurfaceAdapter {
  requireCore(core, example)
  requireOptions(options, [...surfaceOptionNames, 'tagsFromMetadata'], example)
  const { clock = core.clock, tagsFromMetadata = false } = options
  const startedAt = Math.floor(clock.now() / 1000)
  const endpoints = [...(tagsFromMetadata ? generating.map(tagging) : generating), ...models(startedAt)]
  const surface: Surface = { endpoints, errorBody: toErrorBody, errorStatus }
  return surfaceAdapter(core, surface, options)
}
