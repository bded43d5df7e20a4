import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { ProviderError, type TextModel } from '@fairlead/core/provider'
import type { Binding } from './binding.ts'
import type { LlamaCppOptions } from './options.ts'

/** What a GGUF file says of itself, read without its weights. */
export interface ModelFile {
  readonly path: string
  readonly model: TextModel
  readonly contextSize: number
  readonly hasChatTemplate: boolean
}

const largestDefaultContext = 8_192
const smallestContext = 2

export async function readModelFile({ readGgufFileInfo }: Binding, options: LlamaCppOptions): Promise<ModelFile> {
  const { path } = options
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw new ProviderError('give_up', `The model file ${path} can't be read. Name an existing GGUF file.`, { cause })
  })
  const info = await readGgufFileInfo(path, {
    readTensorInfo: false,
    spliceSplitFiles: false,
    sourceType: 'filesystem',
    logWarnings: false,
  }).catch((cause: unknown) => {
    throw new ProviderError('give_up', `The model file ${path} is no readable GGUF file: ${messageOf(cause)}`, {
      cause,
    })
  })
  const { general, tokenizer } = info.metadata
  const madeFor = info.architectureMetadata.context_length ?? largestDefaultContext
  const contextSize = Math.max(smallestContext, options.contextSize ?? Math.min(madeFor, largestDefaultContext))
  const id = options.id ?? idOf(path)
  const name = general.name?.trim() || id
  return {
    path,
    contextSize,
    hasChatTemplate: Boolean(tokenizer?.chat_template),
    model: {
      type: 'text',
      id,
      name,
      description: `${name}, of the architecture ${general.architecture}, from a file on this machine, by llama.cpp. Prompt and answer together hold ${contextSize} tokens.`,
      pricing: { input: 0, output: 0 },
      // A prompt has one token at least.
      maxTokens: contextSize - 1,
      contextSize,
      seed: true,
    },
  }
}

/** `Qwen3 0.6B-Q8_0-00001-of-00002.gguf` is called `Qwen3-0.6B-Q8_0`. */
export function idOf(path: string): string {
  const name = basename(path)
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
    .replaceAll(/\s+/g, '-')
  return name.slice(0, 200) || 'model'
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
