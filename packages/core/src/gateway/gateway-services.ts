import type { TextGeneration } from '../operations/generate/generate-text.ts'
import type { Services } from '../runtime/services.ts'

/**
 * The services that every core adds to those of the runtime. Name them in an operation of your own:
 *
 * @example
 *   prepare({ text }: GatewayServices, call, input) { … }
 */
export interface GatewayServices extends Services {
  readonly text: TextGeneration
}
