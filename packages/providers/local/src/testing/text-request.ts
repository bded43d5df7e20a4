import type { Message, TextRequest } from '@fairlead/core/provider'

/** A request with a prompt. */
export function textRequest(model: string, prompt: string, rest: Partial<TextRequest> = {}): TextRequest {
  return chatRequest(model, [userMessage(prompt)], rest)
}

/** A request with a conversation. */
export function chatRequest(model: string, messages: readonly Message[], rest: Partial<TextRequest> = {}): TextRequest {
  return { model, messages, maxTokens: 1_000, ...rest }
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}
