import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { ProviderError, type TextModel } from '@fairlead/core/provider'
import type { Binding } from './binding.ts'
import type { LlamaCppOptions } from './options.ts'

/** The metadata of a GGUF file, without its weights. */
export interface ModelFile {
  /** The package that has read it. */
  readonly binding: Binding
  readonly path: string
  readonly model: TextModel
  readonly contextSize: number
}

const maxDefaultContext = 8_192
const minContext = 2

export async function readModelFile(binding: Binding, options: LlamaCppOptions): Promise<ModelFile> {
  const { path } = options
  const unusable = (fault: string, cause: unknown) =>
    new ProviderError('give_up', `The model file ${path} ${fault}`, { cause })
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw unusable('cannot be read. Set path to an existing GGUF file.', cause)
  })
  const reading = {
    readTensorInfo: false,
    spliceSplitFiles: false,
    sourceType: 'filesystem',
    logWarnings: false,
  } as const
  const info = await binding.readGgufFileInfo(path, reading).catch((cause: unknown) => {
    throw unusable(`is not a valid GGUF file: ${readMessage(cause)}`, cause)
  })
  const { general, tokenizer } = info.metadata
  const madeFor = info.architectureMetadata.context_length ?? maxDefaultContext
  const contextSize = Math.max(minContext, options.contextSize ?? Math.min(madeFor, maxDefaultContext))
  const id = options.id ?? toModelId(path)
  const embedding = readEmbedding(info.architectureMetadata)
  const name = general.name?.trim() || id
  const limit = embedding
    ? `Embeds texts of up to ${contextSize - 1} tokens.`
    : `Prompt and answer together hold ${contextSize} tokens.`
  return {
    binding,
    path,
    contextSize,
    model: {
      type: 'text',
      ...(embedding
        ? { embedding, streaming: false }
        : { chat: Boolean(tokenizer?.chat_template), structured: true, seed: true }),
      id,
      name,
      description: `${name}, of the architecture ${general.architecture}, from a file on this machine, by llama.cpp. ${limit}`,
      pricing: { input: 0, output: 0 },
      // A prompt has at least one token.
      maxTokens: contextSize - 1,
      contextSize,
    },
  }
}

/** Files of embedding models say how the vectors of tokens become one: by their mean, the first, or the last. */
const poolings: readonly unknown[] = [1, 2, 3]

function readEmbedding(facts: { readonly pooling_type?: number; readonly embedding_length?: number }) {
  const { pooling_type: pooling, embedding_length: dimensions } = facts
  return dimensions !== undefined && poolings.includes(pooling) ? { dimensions } : undefined
}

/** `Qwen3 0.6B-Q8_0-00001-of-00002.gguf` has the id `Qwen3-0.6B-Q8_0`. */
export function toModelId(path: string): string {
  const name = basename(path)
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
    .replaceAll(/\s+/g, '-')
  return name.slice(0, 200) || 'model'
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
