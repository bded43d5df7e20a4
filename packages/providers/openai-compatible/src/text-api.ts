import type { Issue, ProviderCall, TextAnswer, TextEvent, TextRequest } from '@fairlead/core/provider'
import type { HttpClient } from '@fairlead/provider-toolkit'
import type { Dialect } from './dialect.ts'
import type { ChosenEffort, ModelRule } from './model-rules.ts'
import type { OwnDialect } from './native.ts'
import type { OptionsOf } from './parts.ts'

/** One of the APIs for texts that a server has. */
export interface TextApi {
  generate(call: TextCall): Promise<TextAnswer>
  stream(call: TextCall): AsyncIterable<TextEvent>
}

export interface TextCall {
  readonly request: TextRequest
  readonly rule: ModelRule
  readonly chosen: ChosenEffort
  /** Warnings about options that the operator does not allow. */
  readonly leftOut: readonly Issue[]
  readonly signal: AbortSignal
  /** The API of OpenAI that the client speaks. */
  readonly client: OwnDialect | undefined
  readonly warn?: ProviderCall['warn']
}

/** The parts of a provider that its APIs share. */
export interface ApiContext {
  /** The provider's id. */
  readonly id: string
  readonly http: HttpClient
  readonly dialect: Dialect
  readonly optionsOf: OptionsOf
}
