import { type Issue, ProviderError, type TextEvent, type TextRequest } from '@fairlead/core/provider'
import type { Token } from 'node-llama-cpp'
import type { Engine } from './engine.ts'
import { toSampling } from './sampling.ts'
import { scanForStops } from './stop-scanner.ts'
import { withoutThoughts } from './thought-filter.ts'
import { tokenText } from './token-text.ts'

export type Finish = Extract<TextEvent, { type: 'finish' }>

interface Writing {
  readonly contextSize: number
  readonly signal: AbortSignal
  /** Called with each piece of text. */
  readonly say: (text: string) => void
}

export async function writeAnswer(
  engine: Engine,
  request: TextRequest,
  { contextSize, signal, say }: Writing,
): Promise<Finish> {
  const prompt = engine.read(request.prompt)
  const room = contextSize - prompt.tokens.length
  if (room < 1) throw tooLong(prompt.tokens.length, contextSize)
  const { maxTokens = room } = request
  const most = Math.min(maxTokens, room)
  const written: Token[] = []
  const text = tokenText(engine.detokenize, prompt.before)
  const thoughts = withoutThoughts(prompt.thoughts)
  const stops = scanForStops(request.stop ?? [])
  const pass = (piece: string) => {
    if (piece !== '') say(piece)
  }
  const finish = (finishReason: 'stop' | 'length'): Finish => ({
    type: 'finish',
    finishReason,
    usage: { promptTokens: prompt.tokens.length, completionTokens: written.length },
    warnings: [
      ...(thoughts.thought ? [reasoningRemoved] : []),
      ...(finishReason === 'length' && most < maxTokens ? [contextFull(most, contextSize)] : []),
    ],
  })

  let finishReason: 'stop' | 'length' = 'stop'
  for await (const token of engine.generate(prompt.tokens, toSampling(request, { written, most }), signal)) {
    if (prompt.ends.has(token)) break
    written.push(token)
    pass(stops.push(thoughts.push(text.push(token))))
    if (stops.stopped) return finish('stop')
    if (written.length < most) continue
    finishReason = 'length'
    break
  }
  pass(stops.push(thoughts.push(text.flush()) + thoughts.flush()))
  pass(stops.flush())
  return finish(stops.stopped ? 'stop' : finishReason)
}

function tooLong(tokens: number, contextSize: number): ProviderError {
  const detail = `has ${tokens} tokens; this model accepts at most ${contextSize - 1}`
  return new ProviderError('too_long', `The prompt ${detail}`, { field: 'prompt', detail })
}

const reasoningRemoved: Issue = {
  field: null,
  issue: 'the model reasoned before it answered; its reasoning is not shown, but its tokens count',
}

function contextFull(maxTokens: number, contextSize: number): Issue {
  return {
    field: 'maxTokens',
    issue: `only ${maxTokens} tokens were left beside the prompt in the context of ${contextSize}`,
  }
}
