import type { CallRequest, Reply } from './call-model.ts'
import type { StreamedPart } from './streamed-parts.ts'

/** A call of a model, as far as it has come. */
export interface Call {
  readonly id: string
  readonly status: 'running' | 'done' | 'stopped' | 'failed'
  readonly request: CallRequest
  /** The parts that were streamed so far. */
  readonly parts: readonly StreamedPart[]
  /** From the request to the first part of a stream. */
  readonly firstTextMs?: number | undefined
  /** From the request to the end of the response. */
  readonly durationMs?: number | undefined
  readonly reply?: Reply | undefined
  readonly error?: unknown
}
