import type { UpstreamAnswer } from '@fairlead/testing'

type Response = Parameters<UpstreamAnswer>[0]

/** A whole chat completion, as JSON. */
export function chatReply(content: string): string {
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
  const usage = { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 }
  return JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 0, choices: [choice], usage })
}

/** One event of a streamed chat completion. */
export function chunk(content: string): string {
  return event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
}

/** The last events of one. */
export const finishChunk =
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  event({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 } }) +
  'data: [DONE]\n\n'

export function startStream(response: Response): Response {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

export function startJson(response: Response, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return response.writeHead(status, { 'content-type': 'application/json', ...headers })
}

function event(data: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, ...data })}\n\n`
}
