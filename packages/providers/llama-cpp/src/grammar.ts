import { ProviderError, type ResponseFormat } from '@fairlead/core/provider'
import type { GbnfJsonObjectSchema, Llama, LlamaGrammar } from 'node-llama-cpp'
import { toGrammarSchema } from './grammar-schema.ts'
import { messageOf } from './model-file.ts'

export interface FormatGrammar {
  readonly grammar: LlamaGrammar
  /** The keywords of the schema that the grammar does not enforce. */
  readonly ignored: readonly string[]
}

/** The grammar of a JSON object, or of the JSON that satisfies a schema. */
export async function grammarFor(llama: Llama, format: ResponseFormat): Promise<FormatGrammar> {
  const { schema: own, ignored } = toGrammarSchema(format.type === 'json_schema' ? format.schema : { type: 'object' })
  try {
    return { grammar: await llama.createGrammarForJsonSchema(own as GbnfJsonObjectSchema), ignored }
  } catch (cause) {
    const detail = `llama.cpp cannot make a grammar of this schema: ${messageOf(cause)}`
    throw new ProviderError('invalid_request', detail, { field: 'responseFormat.schema', detail, cause })
  }
}
