import { z } from 'zod'
import { invalidRequest } from '../../runtime/errors.ts'
import type { StreamingMethod } from '../../runtime/method.ts'
import type { JsonSchema } from '../messages/message.ts'
import type { GeneratedText } from './generated-text.ts'
import type { GenerateChunk, GenerateInput, ResponseFormatInput, ToolInput } from '../methods.ts'

/** The input of `generate` in a program that embeds Fairlead: a schema is a JSON schema or a zod schema. */
export interface EmbeddedGenerateInput extends Omit<GenerateInput, 'tools' | 'responseFormat'> {
  readonly tools?: readonly EmbeddedTool[] | undefined
  readonly responseFormat?: EmbeddedResponseFormat | undefined
}

export interface EmbeddedTool extends Omit<ToolInput, 'inputSchema'> {
  /** A JSON schema of an object, or a zod schema. */
  readonly inputSchema: JsonSchema | z.ZodType
}

export interface EmbeddedResponseFormat extends Omit<ResponseFormatInput, 'schema'> {
  /** A JSON schema or a zod schema, with `json_schema`. */
  readonly schema?: JsonSchema | z.ZodType | undefined
}

export type EmbeddedGenerate = StreamingMethod<EmbeddedGenerateInput, GeneratedText, GenerateChunk>

/** `generate` for programs that pass zod schemas. Rejects with `INVALID_REQUEST` a schema that JSON schema cannot express. */
export function acceptZodSchemas(
  generate: StreamingMethod<GenerateInput, GeneratedText, GenerateChunk>,
): EmbeddedGenerate {
  const withMeta: EmbeddedGenerate['withMeta'] = async (input, options) => generate.withMeta(toInput(input), options)
  const method = async (...[input, options]: Parameters<EmbeddedGenerate>) => generate(toInput(input), options)
  const stream: EmbeddedGenerate['stream'] = (input, options) => generate.stream(toInput(input), options)
  return Object.assign(method, { withMeta, stream })
}

function toInput(input: EmbeddedGenerateInput): GenerateInput {
  const { tools, responseFormat, ...others } = input
  if (!isZod(responseFormat?.schema) && !tools?.some(({ inputSchema }) => isZod(inputSchema))) {
    return input as GenerateInput
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

export function isZod(schema: unknown): schema is z.ZodType {
  return schema instanceof z.ZodType
}

/** @param field where the schema is in the input */
function toJsonSchema(schema: JsonSchema | z.ZodType, field: string): JsonSchema {
  if (!isZod(schema)) return schema
  try {
    return z.toJSONSchema(schema, { io: 'input' })
  } catch (error) {
    throw invalidRequest({ field, issue: `cannot be expressed as a JSON schema: ${(error as Error).message}` })
  }
}
