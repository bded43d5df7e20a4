import { randomInt } from 'node:crypto'
import type { TextRequest } from '@fairlead/core/provider'
import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp'

// llama.cpp takes the largest 32-bit number for "any seed".
const seeds = 2 ** 32 - 1

/**
 * The request's parameters in the sampler's format.
 *
 * @param written the tokens of the response so far, which the penalties count
 */
export function toSampling(
  { temperature = 0.7, topP = 1, frequencyPenalty = 0, presencePenalty = 0, seed }: TextRequest,
  { written, most }: { readonly written: readonly Token[]; readonly most: number },
): SequenceEvaluateOptions {
  const penalized = frequencyPenalty !== 0 || presencePenalty !== 0
  return {
    temperature,
    topP,
    // By default the sampler would also drop all but the 40 most likely tokens.
    topK: 0,
    // The default is the current second: two requests within it would get the same response.
    seed: seed === undefined ? randomInt(seeds) : ((seed % seeds) + seeds) % seeds,
    ...(penalized && {
      repeatPenalty: {
        punishTokens: () => [...written],
        maxPunishTokens: most,
        penalty: 1,
        frequencyPenalty,
        presencePenalty,
      },
    }),
  }
}
