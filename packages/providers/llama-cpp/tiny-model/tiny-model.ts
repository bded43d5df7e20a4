import type { Buffer } from 'node:buffer'
import { ggufFile, type GgufTensor, type GgufValue } from './gguf-file.ts'

export interface TinyModelOptions {
  /** The `general.name`. Default: `Tiny`. */
  readonly name?: string
  /** A Jinja template, kept as `tokenizer.chat_template`. Default: none. */
  readonly chatTemplate?: string
  /** Tokens that the model is said to be made for. Default: 512. */
  readonly contextLength?: number
  /** The token that ends an answer. Default: `</s>`, which is hardly ever written. */
  readonly end?: string
  /** Whether the model embeds texts, as the mean of its tokens. Default: false. */
  readonly embeds?: boolean
}

const width = 32
const heads = 2
const blocks = 2
const inner = 64
// The larger, the further apart the likelihoods of the next token.
const contrast = 0.75

const consonants = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z']
const vowels = ['a', 'e', 'i', 'o', 'u']
const syllables = consonants.flatMap((consonant) => vowels.map((vowel) => consonant + vowel))
const control = ['<unk>', '<s>', '</s>']
const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
// SentencePiece writes a space as U+2581.
const pieces = ['\u2581', ...syllables.map((syllable) => `\u2581${syllable}`), ...syllables, '.', ',']
const tokens = [...control, ...bytes, ...pieces]

// The numbers of llama.cpp's `llama_token_type`.
const tokenTypes = [2, 3, 3, ...bytes.map(() => 6), ...pieces.map(() => 1)]

/**
 * A model of the Llama architecture with random weights, always the same, in 200 KB: its vocabulary is syllables and,
 * for everything else, bytes. What it writes means nothing.
 *
 * @see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md#llm
 */
export function tinyModel({
  name = 'Tiny',
  chatTemplate,
  contextLength = 512,
  end = '</s>',
  embeds = false,
}: TinyModelOptions = {}): Buffer {
  const metadata: Record<string, GgufValue> = {
    'general.architecture': 'llama',
    'general.name': name,
    'general.alignment': 32,
    'general.file_type': 0,
    'llama.context_length': contextLength,
    'llama.embedding_length': width,
    'llama.block_count': blocks,
    'llama.feed_forward_length': inner,
    'llama.rope.dimension_count': width / heads,
    'llama.attention.head_count': heads,
    'llama.attention.head_count_kv': heads,
    'llama.attention.layer_norm_rms_epsilon': { float32: 1e-5 },
    'llama.vocab_size': tokens.length,
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': { strings: tokens },
    // The tokenizer joins the pair of the highest score first: longer pieces before shorter ones.
    'tokenizer.ggml.scores': { float32s: tokens.map((token) => token.length) },
    'tokenizer.ggml.token_type': { int32s: tokenTypes },
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.ggml.bos_token_id': 1,
    'tokenizer.ggml.eos_token_id': tokens.indexOf(end),
    'tokenizer.ggml.add_bos_token': true,
    'tokenizer.ggml.add_eos_token': false,
  }
  if (embeds) metadata['llama.pooling_type'] = 1
  if (chatTemplate !== undefined) metadata['tokenizer.chat_template'] = chatTemplate
  return ggufFile(metadata, weights())
}

function weights(): GgufTensor[] {
  const random = noise(20_260_101)
  const matrix = (name: string, columns: number, rows: number, scale = 1 / Math.sqrt(columns)): GgufTensor => ({
    name,
    shape: [columns, rows],
    values: Float32Array.from({ length: columns * rows }, () => random() * scale),
  })
  const ones = (name: string): GgufTensor => ({ name, shape: [width], values: new Float32Array(width).fill(1) })
  return [
    matrix('token_embd.weight', width, tokens.length, 1),
    ...Array.from({ length: blocks }, (_, block) => [
      ones(`blk.${block}.attn_norm.weight`),
      matrix(`blk.${block}.attn_q.weight`, width, width),
      matrix(`blk.${block}.attn_k.weight`, width, width),
      matrix(`blk.${block}.attn_v.weight`, width, width),
      matrix(`blk.${block}.attn_output.weight`, width, width),
      ones(`blk.${block}.ffn_norm.weight`),
      matrix(`blk.${block}.ffn_gate.weight`, width, inner),
      matrix(`blk.${block}.ffn_up.weight`, width, inner),
      matrix(`blk.${block}.ffn_down.weight`, inner, width),
    ]).flat(),
    ones('output_norm.weight'),
    mostlySyllables(matrix('output.weight', width, tokens.length, contrast)),
  ]
}

/** A row of zeros scores 0 whatever was read: control tokens and bytes hardly ever win against the best of the others. */
function mostlySyllables(output: GgufTensor): GgufTensor {
  output.values.fill(0, 0, (control.length + bytes.length) * width)
  return output
}

/** Numbers with a mean of 0 and a variance of 1, from a linear congruential generator (Numerical Recipes, 7.1). */
function noise(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return () => (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3)
}
