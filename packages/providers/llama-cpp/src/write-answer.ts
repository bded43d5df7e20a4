import {
  type Issue,
  PartWriter,
  ProviderError,
  type TextEvent,
  type TextFinish,
  type TextRequest,
} from '@fairlead/core/provider'
import type { Token } from 'node-llama-cpp'
import type { Engine } from './engine.ts'
import { toSampling } from './sampling.ts'
import { scanForStops } from './stop-scanner.ts'
import { type SplitText, splitThoughts } from './thought-filter.ts'
import { tokenText } from './token-text.ts'
import { unusedOptions } from './unused-options.ts'

interface Writing {
  readonly contextSize: number
  readonly signal: AbortSignal
  /** Called with each event of the answer, and while there is none yet. */
  readonly say: (event: TextEvent) => void
}

export async function writeAnswer(
  engine: Engine,
  request: TextRequest,
  { contextSize, signal, say }: Writing,
): Promise<TextFinish> {
  const prompt = engine.read(request.messages)
  const room = contextSize - prompt.tokens.length
  if (room < 1) throw tooLong(prompt.tokens.length, contextSize)
  const { maxTokens = room, responseFormat, stop = [] } = request
  const most = Math.min(maxTokens, room)
  const json = responseFormat ? await engine.grammar(responseFormat) : undefined
  const isHidden = request.reasoning?.effort === 'none'
  const written: Token[] = []
  let reasoningTokens = 0
  const text = tokenText(engine.detokenize, prompt.before)
  const thoughts = splitThoughts(prompt.thoughts)
  const stops = scanForStops(json ? [...stop, endOfJson] : stop)
  const parts = new PartWriter()
  const pass = ({ reasoning, text: said }: SplitText) => {
    if (reasoning !== '' && !isHidden) parts.say('reasoning', reasoning).forEach(say)
    if (said !== '') parts.say('text', said).forEach(say)
  }
  const read = ({ reasoning, text: said }: SplitText) => pass({ reasoning, text: stops.push(said) })
  const finish = (reason: 'stop' | 'length'): TextFinish => {
    parts.end().forEach(say)
    return {
      finishReason: reason,
      // The end of the JSON is not a sequence of the request.
      ...(stops.stoppedBy !== undefined && stop.includes(stops.stoppedBy) && { stopSequence: stops.stoppedBy }),
      usage: {
        promptTokens: prompt.tokens.length,
        completionTokens: written.length,
        ...(reasoningTokens > 0 && { reasoningTokens }),
      },
      warnings: [
        ...(isHidden && reasoningTokens > 0 ? [reasoningHidden] : []),
        ...(reason === 'length' && most < maxTokens ? [contextFull(most, contextSize)] : []),
        ...(json && json.ignored.length > 0 ? [notEnforced(json.ignored)] : []),
        ...unusedOptions(request),
      ],
    }
  }
  const sampling = {
    ...toSampling(request, { written, most }),
    // A model that has begun to reason may end that first.
    ...(json && { grammarEvaluationState: () => (thoughts.isThinking ? undefined : json.state) }),
  }

  let finishReason: 'stop' | 'length' = 'stop'
  for await (const token of engine.generate(prompt.tokens, sampling, signal, () => say({ type: 'alive' }))) {
    if (prompt.ends.has(token)) break
    written.push(token)
    const wasThinking = thoughts.isThinking
    read(thoughts.push(text.push(token)))
    if (wasThinking || thoughts.isThinking) reasoningTokens += 1
    if (stops.stoppedBy !== undefined) return finish('stop')
    if (written.length < most) continue
    finishReason = 'length'
    break
  }
  read(thoughts.push(text.flush()))
  read(thoughts.flush())
  const rest = stops.flush()
  pass({ reasoning: '', text: json ? rest.trimEnd() : rest })
  return finish(stops.stoppedBy === undefined ? finishReason : 'stop')
}

/** The grammars of node-llama-cpp demand it after the JSON. */
const endOfJson = '\n'.repeat(4)

function tooLong(tokens: number, contextSize: number): ProviderError {
  const detail = `has ${tokens} tokens; this model accepts at most ${contextSize - 1}`
  return new ProviderError('too_long', `The prompt ${detail}`, { field: 'messages', detail })
}

const reasoningHidden: Issue = {
  field: 'reasoning',
  issue: 'the model reasoned before it answered; its reasoning is not shown, but its tokens count',
}

function notEnforced(keywords: readonly string[]): Issue {
  return {
    field: 'responseFormat.schema',
    issue: `llama.cpp does not enforce these keywords: ${keywords.slice(0, 20).join(', ')}`,
  }
}

function contextFull(maxTokens: number, contextSize: number): Issue {
  return {
    field: 'maxTokens',
    issue: `only ${maxTokens} tokens were left beside the prompt in the context of ${contextSize}`,
  }
}
