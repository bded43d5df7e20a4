import { invalidRequest } from '../../runtime/errors.ts'
import {
  type EmbeddedOptions,
  type ResultStream,
  type StreamingMethod,
  type WithMeta,
  withResult,
} from '../../runtime/method.ts'
import type { JsonSchema } from '../messages/message.ts'
import type { GenerateChunk, GenerateInput, ResponseFormatInput, ToolInput } from '../methods.ts'
import { type Generated, objectFormat, readObject, type GeneratedText, withViews } from './generated-text.ts'
import { type StandardSchema, toJsonSchema } from './standard-schema.ts'

/** The input of `generate` in a program that embeds Fairlead: a schema is a JSON schema, or one of a library. */
export interface EmbeddedGenerateInput<Output extends StandardSchema | undefined = undefined> extends Omit<
  GenerateInput,
  'tools' | 'responseFormat'
> {
  /**
   * The schema of an object, which the result then has as `object`. The maximum of tokens is the model's own unless
   * `maxTokens` is set. It cannot be combined with `responseFormat`, and with `tools` only in `runTools`.
   */
  readonly output?: Output
  readonly tools?: readonly EmbeddedTool[] | undefined
  readonly responseFormat?: EmbeddedResponseFormat | undefined
}

export interface EmbeddedTool extends Omit<ToolInput, 'inputSchema'> {
  /** The schema of an object. */
  readonly inputSchema: JsonSchema | StandardSchema
}

export interface EmbeddedResponseFormat extends Omit<ResponseFormatInput, 'schema'> {
  /** The schema, with `json_schema`. */
  readonly schema?: JsonSchema | StandardSchema | undefined
}

/**
 * Generates text, or an object of the schema `output`. Rejects with `CONTENT_REFUSED` if the model refuses to return the
 * object, and with `PROVIDER_ERROR` if its answer is incomplete or does not match; the `cause` of the error is the answer.
 *
 * @example
 *   const recipe = z.object({ name: z.string(), steps: z.array(z.string()) })
 *   const { object } = await fairlead.generate({ model: 'gpt-5.4', prompt: 'A recipe for waffles', output: recipe })
 *   console.log(object.name, object.steps.length)
 */
export interface EmbeddedGenerate {
  <Output extends StandardSchema | undefined = undefined>(
    input: EmbeddedGenerateInput<Output>,
    options?: EmbeddedOptions,
  ): Promise<Generated<Output>>
  readonly withMeta: <Output extends StandardSchema | undefined = undefined>(
    input: EmbeddedGenerateInput<Output>,
    options?: EmbeddedOptions,
  ) => Promise<WithMeta<Generated<Output>>>
  /** Yields the text in chunks. `break` cancels the call. The object is in the result alone. */
  readonly stream: <Output extends StandardSchema | undefined = undefined>(
    input: EmbeddedGenerateInput<Output>,
    options?: EmbeddedOptions,
  ) => ResultStream<GenerateChunk, Generated<Output>>
}

type AnyInput = EmbeddedGenerateInput<StandardSchema | undefined>
type Chunks = ResultStream<GenerateChunk, GeneratedText>

/** The operation as a method, which takes JSON schemas alone. */
export type PlainGenerate = StreamingMethod<GenerateInput, GeneratedText, GenerateChunk>

/** `generate` for programs that pass schemas of libraries. Rejects a schema that JSON schema cannot express. */
export function acceptSchemas(generate: PlainGenerate): EmbeddedGenerate {
  const withMeta = async (input: AnyInput, options?: EmbeddedOptions): Promise<WithMeta<GeneratedText>> => {
    const reply = await generate.withMeta(toInput(input), options)
    return input.output ? withObject(reply, input.output) : reply
  }
  const method = async (input: AnyInput, options?: EmbeddedOptions) => (await withMeta(input, options)).data
  const stream = (input: AnyInput, options?: EmbeddedOptions): Chunks => {
    const chunks = generate.stream(toInput(input), options)
    return input.output ? withResult(thenObject(chunks, input.output), ({ data }) => data) : chunks
  }
  return Object.assign(method, { withMeta, stream }) as EmbeddedGenerate
}

async function withObject({ data, meta }: WithMeta<GeneratedText>, output: StandardSchema) {
  return { data: withViews({ ...data, object: await readObject(data, output) }), meta }
}

async function* thenObject(
  chunks: Chunks,
  output: StandardSchema,
): AsyncGenerator<GenerateChunk, WithMeta<GeneratedText>, undefined> {
  yield* chunks
  return withObject(await chunks.result(), output)
}

function toInput({ output, ...input }: AnyInput): GenerateInput {
  const { tools, responseFormat, ...others } = input
  if (output) {
    if (tools?.length)
      throw invalidRequest({ field: 'tools', issue: 'cannot be combined with "output"; call runTools' })
    if (responseFormat) throw invalidRequest({ field: 'responseFormat', issue: 'cannot be combined with "output"' })
    // An object that the short answers to prompts would cut off is of no use.
    return { ...others, maxTokens: others.maxTokens ?? null, responseFormat: objectFormat(output) }
  }
  return {
    ...others,
    ...(tools && { tools: tools.map(toTool) }),
    ...(responseFormat && { responseFormat: toFormat(responseFormat) }),
  }
}

function toTool({ inputSchema, ...tool }: EmbeddedTool, index: number): ToolInput {
  return { ...tool, inputSchema: toJsonSchema(inputSchema, `tools[${index}].inputSchema`) }
}

function toFormat({ schema, ...format }: EmbeddedResponseFormat): ResponseFormatInput {
  return { ...format, ...(schema && { schema: toJsonSchema(schema, 'responseFormat.schema') }) }
}
