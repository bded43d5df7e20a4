import type {
  AnswerPart,
  ImageRequest,
  ProviderCall,
  SentAnswerPart,
  TextEvent,
  TextRequest,
} from '@fairlead/core/provider'
import { openTestUpstream, type RecordedReply, replaying } from '@fairlead/testing'
import { onTestFinished } from 'vitest'
import { openaiCompatible, type OpenaiCompatibleOptions } from '../index.ts'

export const apiKey = 'sk-canary-5d6e7f8a9b'

/** A provider whose upstream sends this reply to every request, and the requests that it received. */
export async function replyingWith(reply: RecordedReply, options: Partial<OpenaiCompatibleOptions> = {}) {
  const upstream = await openTestUpstream()
  upstream.answer(replaying(reply))
  const provider = openaiCompatible({ id: 'acme', baseUrl: `${upstream.url}/v1`, apiKey, ...options })
  onTestFinished(async () => {
    await provider.close()
    await upstream.close()
  })
  return {
    provider,
    upstream,
    sent: () => upstream.requests.at(-1)!,
    /** Changes the reply. */
    reply: (next: RecordedReply) => upstream.answer(replaying(next)),
    write: (about: Partial<TextRequest> = {}) => provider.generateText({ ...asked, ...about }, call),
    stream: (about: Partial<TextRequest> = {}) => gather(provider.streamText({ ...asked, ...about }, call)),
    draw: (about: Partial<ImageRequest> = {}) => provider.generateImage({ ...drawn, ...about }, call),
  }
}

export const call: ProviderCall = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

export const asked: TextRequest = {
  model: 'any',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Greet me.' }] }],
  maxTokens: 64,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}

const drawn: ImageRequest = {
  model: 'gpt-image-1.5',
  prompt: 'A lake.',
  width: 1024,
  height: 1024,
  quality: 'standard',
  style: 'natural',
}

/** The events, without those that only say that the upstream is alive. */
async function gather(events: AsyncIterable<TextEvent>): Promise<readonly TextEvent[]> {
  const all: TextEvent[] = []
  for await (const event of events) if (event.type !== 'alive') all.push(event)
  return all
}

/** Gathered events as a stream. */
export async function* streamEvents(gathered: readonly TextEvent[]): AsyncGenerator<TextEvent, void, undefined> {
  yield* gathered
}

/** The parts of an answer that the next request can return. */
export function sentParts(parts: readonly AnswerPart[]): readonly SentAnswerPart[] {
  return parts.filter((part) => part.type !== 'refusal' && part.type !== 'file')
}

/** A whole chat completion. */
export function completion(
  message: object = { content: 'Hello' },
  about: object = {},
  usage: unknown = counted,
): RecordedReply {
  return { json: { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop', ...about }], usage } }
}

const counted = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
