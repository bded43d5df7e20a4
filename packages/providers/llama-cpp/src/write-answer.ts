import { randomInt } from 'node:crypto'
import { type Issue, PartWriter, type TextEvent, type TextRequest } from '@fairlead/core/provider'
import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import { tooLong } from './embedder.ts'
import type { Engine } from './engine.ts'
import { StopScanner } from './stop-scanner.ts'
import { type SplitText, ThoughtFilter } from './thought-filter.ts'
import { TokenText } from './token-text.ts'
import { unusedOptions } from './unused-options.ts'

/** @param say called with each event of the answer, and while there is none yet */
export async function writeAnswer(
  engine: Engine,
  request: TextRequest,
  signal: AbortSignal,
  say: (event: TextEvent) => void,
): Promise<void> {
  const { contextSize } = engine
  const prompt = engine.read(request.messages)
  const room = contextSize - prompt.tokens.length
  if (room < 1) throw tooLong('The prompt', prompt.tokens.length, contextSize, 'messages')
  const { maxTokens = room, responseFormat, stop = [] } = request
  const most = Math.min(maxTokens, room)
  const json = responseFormat ? await engine.grammar(responseFormat) : undefined
  const isHidden = request.reasoning?.effort === 'none'
  const written: Token[] = []
  let reasoningTokens = 0
  const text = new TokenText(engine.detokenize, prompt.before)
  const thoughts = new ThoughtFilter(prompt.thoughts)
  const stops = new StopScanner(json ? [...stop, endOfJson] : stop)
  const parts = new PartWriter()
  const pass = ({ reasoning, text: said }: SplitText) => {
    if (reasoning !== '' && !isHidden) parts.say('reasoning', reasoning).forEach(say)
    if (said !== '') parts.say('text', said).forEach(say)
  }
  const read = ({ reasoning, text: said }: SplitText) => pass({ reasoning, text: stops.push(said) })
  const sampling = {
    ...toSampling(request, written, most),
    // A model that has begun to reason may end that first.
    ...(json && { grammarEvaluationState: () => (thoughts.isThinking ? undefined : json.state) }),
  }

  for await (const token of engine.generate(prompt.tokens, sampling, signal, () => say({ type: 'alive' }))) {
    if (prompt.ends.has(token)) break
    written.push(token)
    const wasThinking = thoughts.isThinking
    read(thoughts.push(text.push(token)))
    if (wasThinking || thoughts.isThinking) reasoningTokens += 1
    if (stops.stoppedBy !== undefined || written.length === most) break
  }
  read(thoughts.push(text.flush()))
  read(thoughts.flush())
  const rest = stops.flush()
  pass({ reasoning: '', text: json ? rest.trimEnd() : rest })
  parts.end().forEach(say)
  const isCut = stops.stoppedBy === undefined && written.length === most
  const warnings: Issue[] = []
  const warn = (field: string, issue: string) => void warnings.push({ field, issue })
  if (isHidden && reasoningTokens > 0) warn('reasoning', reasoningHidden)
  if (isCut && most < maxTokens) {
    warn('maxTokens', `only ${most} tokens were left beside the prompt in the context of ${contextSize}`)
  }
  const ignored = json?.ignored.slice(0, 20).join(', ')
  if (ignored) warn('responseFormat.schema', `llama.cpp does not enforce these keywords: ${ignored}`)
  say({
    type: 'finish',
    finishReason: isCut ? 'length' : 'stop',
    // The end of the JSON is not a sequence of the request.
    stopSequence: stop.find((sequence) => sequence === stops.stoppedBy),
    usage: {
      promptTokens: prompt.tokens.length,
      completionTokens: written.length,
      ...(reasoningTokens > 0 && { reasoningTokens }),
    },
    warnings: [...warnings, ...unusedOptions(request)],
  })
}

/** The grammars of node-llama-cpp demand it after the JSON. */
const endOfJson = '\n'.repeat(4)

// llama.cpp takes the largest 32-bit number for "any seed".
const seeds = 2 ** 32 - 1

/** @param written the tokens of the response so far, which the penalties count */
function toSampling(
  { temperature = 0.7, topP = 1, frequencyPenalty = 0, presencePenalty = 0, seed }: TextRequest,
  written: readonly Token[],
  most: number,
): SequenceEvaluateOptions {
  const isPenalized = frequencyPenalty !== 0 || presencePenalty !== 0
  const punishing = { punishTokens: () => [...written], maxPunishTokens: most, penalty: 1 }
  return {
    temperature,
    topP,
    // By default the sampler would also drop all but the 40 most likely tokens.
    topK: 0,
    // The default is the current second: two requests within it would get the same response.
    seed: seed === undefined ? randomInt(seeds) : ((seed % seeds) + seeds) % seeds,
    ...(isPenalized && { repeatPenalty: { ...punishing, frequencyPenalty, presencePenalty } }),
  }
}

const reasoningHidden = 'the model reasoned before it answered; its reasoning is not shown, but its tokens count'
