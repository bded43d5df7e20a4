import type { JsonSchema } from '../messages/message.ts'
import type { InferOutput, StandardSchema } from '../text/standard-schema.ts'

/** A tool with its function. `defineTool` infers the function's input from a schema. */
export interface RunnableTool {
  /** A description of the tool, for the model. */
  readonly description?: string
  /** The schema of an object. Inputs are checked with the schema of a library, not with a JSON schema. */
  readonly inputSchema: JsonSchema | StandardSchema
  /** Whether inputs must follow the schema exactly, if the provider can enforce it. */
  readonly strict?: boolean
  /** Whether a call is executed only once `approve` of the run allows it. Default: false. */
  readonly needsApproval?: boolean | ((input: never, context: ToolContext) => boolean | Promise<boolean>)
  /**
   * Executes a call. A result that is not a string is sent as JSON. An error that it throws is sent to the model, which can
   * try again, with its message alone.
   */
  readonly execute: (input: never, context: ToolContext) => unknown
}

export interface ToolContext {
  /** Aborts when the caller cancels the run. */
  readonly signal: AbortSignal
  /** The id of the model's call. */
  readonly toolCallId: string
}

/**
 * A tool whose function has the type of its schema.
 *
 * @example
 *   const weather = defineTool({
 *     description: 'The weather in a city',
 *     inputSchema: z.object({ city: z.string() }),
 *     execute: async ({ city }) => fetchWeather(city),
 *   })
 */
export function defineTool<Schema extends StandardSchema>(
  tool: Omit<RunnableTool, 'inputSchema' | 'needsApproval' | 'execute'> & {
    readonly inputSchema: Schema
    readonly needsApproval?:
      | boolean
      | ((input: InferOutput<Schema>, context: ToolContext) => boolean | Promise<boolean>)
    readonly execute: (input: InferOutput<Schema>, context: ToolContext) => unknown
  },
): RunnableTool {
  return tool as RunnableTool
}
