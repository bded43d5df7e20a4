import { z } from 'zod'
import { chatChunk, chatReply, readPiece } from './chat-reply.ts'
const chunk = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', service_tier: 'default', system_fingerprint: 'fp', choices: [{ index: 0, delta: { content: 'Hello' }, logprobs: null, finish_reason: null }], usage: null })
const reply = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'instant', choices: [{ index: 0, message: { role: 'assistant', content: 'Hello', refusal: null, annotations: [] }, logprobs: null, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, prompt_tokens_details: {cached_tokens: 0, audio_tokens: 0}, completion_tokens_details: {reasoning_tokens: 0}}, service_tier: 'default', system_fingerprint: null })
const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish()
const message = z.looseObject({ content, refusal: z.string().nullish(), tool_calls: z.array(z.looseObject({})).nullish() })
const narrowReply = z.looseObject({ choices: z.tuple([z.looseObject({ message, finish_reason: z.string() })], z.unknown()) })
const narrowChunk = z.looseObject({ choices: z.array(z.looseObject({ delta: message.nullish(), finish_reason: z.string().nullish() })) })
function bench(name: string, f: () => unknown) {
  for (let i = 0; i < 50000; i++) f()
  const n = 200000
  globalThis.gc?.()
  const m0 = process.memoryUsage().heapUsed
  for (let i = 0; i < 1000; i++) f()
  const m1 = process.memoryUsage().heapUsed
  const t = process.hrtime.bigint()
  for (let i = 0; i < n; i++) f()
  console.log(name, Number(process.hrtime.bigint() - t) / n, 'ns', (m1 - m0) / 1000, 'B')
}
const c = JSON.parse(chunk), r = JSON.parse(reply)
bench('parse chunk', () => JSON.parse(chunk))
bench('readPiece', () => readPiece(c))
bench('chunk schema', () => chatChunk.safeParse(c))
bench('chunk narrow', () => narrowChunk.safeParse(c))
bench('parse reply', () => JSON.parse(reply))
bench('reply schema', () => chatReply.safeParse(r))
bench('reply narrow', () => narrowReply.safeParse(r))
const strip = z.object({ choices: z.array(z.object({ delta: z.object({ content, refusal: z.string().nullish(), tool_calls: z.array(z.looseObject({})).nullish() }).nullish(), finish_reason: z.string().nullish() })) })
bench('chunk strip', () => strip.safeParse(c))
