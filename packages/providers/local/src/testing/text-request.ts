import type { Message, TextRequest } from '@fairlead/core/provider'

/** A request for a text, with the messages of its prompt. */
export function textRequest(model: string, prompt: string, rest: Partial<TextRequest> = {}): TextRequest {
  return { model, prompt, messages: [userMessage(prompt)], maxTokens: 1_000, ...rest }
}

/** A request with a conversation in place of a prompt. */
export function chatRequest(model: string, messages: readonly Message[], rest: Partial<TextRequest> = {}): TextRequest {
  return textRequest(model, '', { messages, ...rest })
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}
