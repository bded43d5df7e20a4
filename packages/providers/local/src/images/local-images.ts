import { createRequire } from 'node:module'
import {
  type Capacity,
  type ImageAnswer,
  type ImageModel,
  type ImageRequest,
  type Provider,
  ProviderError,
} from '@fairlead/core/provider'
import { capWarnings } from '../cap-warnings.ts'
import { defaultWorkers, workerPool } from '../worker-pool.ts'

/** Draws images: a value of `@fairlead/provider-local-images`. */
export interface Painter {
  readonly models: readonly ImageModel[]
  /** A module that exports `paint`, which answers an image request. */
  readonly worker: URL
}

export interface LocalImagesOptions {
  /**
   * Default: the painter of `@fairlead/provider-local-images`, if it is installed. Without one, there are no image
   * models.
   */
  readonly painter?: Painter
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

/** Paints in worker threads, with no network and no model weights. Undefined without a painter. */
export function localImages(options: LocalImagesOptions = {}): LocalImages | undefined {
  const painter = options.painter ?? installedPainter()
  if (!painter) return undefined
  const { models } = painter
  const workers = options.workers ?? defaultWorkers()
  const queue = options.queue ?? 16
  const pool = workerPool<ImageRequest, ImageAnswer>({
    file: painter.worker,
    run: 'paint',
    workers,
    queue,
    usualMs: 1_000,
  })
  return {
    models,
    capacity: { ids: models.map(({ id }) => id), concurrency: workers, queue },
    async generateImage(request, { signal, deadline, waitUntil }) {
      requirePaintable(request, models)
      const ends = deadline === undefined ? signal : AbortSignal.any([signal, timeoutAt(deadline)])
      try {
        const call = { signal: ends, ...(waitUntil && { waitUntil }) }
        const { warnings = [], ...answer } = await pool.run(request, call)
        return { ...answer, ...(warnings.length > 0 && { warnings: capWarnings(warnings) }) }
      } catch (error) {
        throw toFailure(error, signal, ends)
      }
    },
    close: pool.close,
  }
}

/** `local()` is synchronous, and so is `require`, which loads modules of ECMAScript too. */
function installedPainter(): Painter | undefined {
  try {
    const { painter } = createRequire(import.meta.url)('@fairlead/provider-local-images') as { painter: Painter }
    return painter
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function timeoutAt(deadline: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, deadline - Date.now()))
}

function requirePaintable({ model, width, height }: ImageRequest, models: readonly ImageModel[]): void {
  const known = models.find(({ id }) => id === model)
  if (!known) {
    const detail = `there is no image model "${model}"`
    throw new ProviderError('invalid_request', detail, { field: 'model', detail })
  }
  if (!known.sizes.includes(`${width}x${height}`)) {
    const detail = `must be one of ${known.sizes.join(', ')}`
    throw new ProviderError('invalid_request', `size ${detail}`, { field: 'size', detail })
  }
}

/**
 * An error of the painter itself is a bug and passes as it is.
 *
 * @param ends aborts with the caller's signal, or when the deadline passes
 */
function toFailure(error: unknown, caller: AbortSignal, ends: AbortSignal): unknown {
  if (error instanceof ProviderError) return error
  if (caller.aborted) return caller.reason
  if (ends.aborted) return new ProviderError('timeout', 'the picture was not done in time', { cause: error })
  return error
}
