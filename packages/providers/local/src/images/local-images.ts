import {
  type Capacity,
  type ImageAnswer,
  type ImageModel,
  type ImageRequest,
  type Provider,
  ProviderError,
} from '@fairlead/core/provider'
import { capWarnings } from '../cap-warnings.ts'
import type { ImageFile, ImageJob } from './image-job.ts'
import { imageModels } from './image-models.ts'
import { defaultWorkers, workerPool } from '../worker-pool.ts'

export interface LocalImagesOptions {
  /** Threads that paint. Default: one per core of the machine, at least two. */
  readonly workers?: number
  /** Pictures that may wait for a thread before more are refused. Default: 16. */
  readonly queue?: number
}

/** The image half of the embedded provider. */
export type LocalImages = Required<Pick<Provider, 'generateImage' | 'close'>> & {
  readonly models: readonly ImageModel[]
  readonly capacity: Capacity
}

/** Paints scenes (`vista`) and patterns (`motif`) in threads of its own, with no network and no model weights. */
export function localImages(options: LocalImagesOptions = {}): LocalImages {
  const workers = options.workers ?? defaultWorkers()
  const queue = options.queue ?? 16
  const pool = workerPool<ImageJob, ImageFile>({
    file: new URL('./worker', import.meta.url),
    run: 'paint',
    workers,
    queue,
    usualMs: 1_000,
  })
  return {
    models: imageModels,
    capacity: { ids: imageModels.map(({ id }) => id), concurrency: workers, queue },
    async generateImage(request, { signal, deadline, waitUntil }) {
      const job = jobFor(request)
      const ends = deadline === undefined ? signal : AbortSignal.any([signal, timeoutAt(deadline)])
      try {
        return answerOf(await pool.run(job, { signal: ends, ...(waitUntil && { waitUntil }) }))
      } catch (error) {
        throw failureOf(error, signal, ends)
      }
    },
    close: pool.close,
  }
}

function timeoutAt(deadline: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, deadline - Date.now()))
}

function jobFor({ model, prompt, width, height, quality, style, seed }: ImageRequest): ImageJob {
  const known = imageModels.find(({ id }) => id === model)
  if (!known || (model !== 'vista' && model !== 'motif')) {
    const detail = `there is no image model "${model}"`
    throw new ProviderError('invalid_request', detail, { field: 'model', detail })
  }
  if (!known.sizes.includes(`${width}x${height}`)) {
    const detail = `must be one of ${known.sizes.join(', ')}`
    throw new ProviderError('invalid_request', `size ${detail}`, { field: 'size', detail })
  }
  return { model, prompt, width, height, quality, style, ...(seed !== undefined && { seed }) }
}

function answerOf({ png, description: revisedPrompt, leftOut }: ImageFile): ImageAnswer {
  const warnings = capWarnings(leftOut.map((issue) => ({ field: 'prompt', issue })))
  return { png, revisedPrompt, ...(warnings.length > 0 && { warnings }) }
}

/**
 * What the painter itself threw is a bug and passes as it is.
 *
 * @param ends aborts with the caller's signal, or when the deadline passes
 */
function failureOf(error: unknown, caller: AbortSignal, ends: AbortSignal): unknown {
  if (error instanceof ProviderError) return error
  if (caller.aborted) return caller.reason
  if (ends.aborted) return new ProviderError('timeout', 'the picture was not done in time', { cause: error })
  return error
}
