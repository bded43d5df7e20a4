import type { TextModel } from '@fairlead/core/provider'

const free = { input: 0, output: 0 }
/** Both read the prompt on the event loop, which longer ones would block. */
const maxPromptCharacters = 100_000

export const scribeModel: TextModel = {
  id: 'scribe',
  name: 'Scribe',
  type: 'text',
  description:
    'Not a language model: composes short English texts (stories, poems, e-mails, slogans, ideas and a few kinds more) from grammars, and works on text in the prompt: summaries, points, titles, entities, sentiment, counts. Calculates, tells the date, and fills in JSON. Of a conversation it reads the last request and what that refers to. Knows no facts, writes no code, does not translate, and never calls tools.',
  pricing: free,
  maxTokens: 4_096,
  maxPromptCharacters,
  streaming: true,
  chat: true,
  // Agents send tools with every request: scribe answers with text and a warning.
  tools: true,
  structured: true,
  seed: true,
}

export const mirrorModel: TextModel = {
  id: 'mirror',
  name: 'Mirror',
  type: 'text',
  description:
    'Not a language model: a deterministic test double that repeats the last user message, or replies, calls tools, reasons, waits and fails as a script in that message says.',
  pricing: free,
  maxTokens: 16_384,
  maxPromptCharacters,
  streaming: true,
  chat: true,
  tools: true,
  vision: true,
  structured: true,
  reasoning: true,
  seed: true,
  testDouble: true,
}

export const demoModel: TextModel = {
  id: 'demo',
  name: 'Demo',
  type: 'text',
  description:
    "Not a language model: a script that stands in for gpt-*, claude-*, and gemini-* while the demo is on. Composes short English texts as scribe does, answers a schema with an example, and creates a file through an agent's tools when asked to.",
  pricing: free,
  maxTokens: 16_384,
  // Agents send long instructions. Only their tokens are counted, in steps that let other requests through.
  maxPromptCharacters: 1_000_000,
  streaming: true,
  chat: true,
  tools: true,
  vision: true,
  structured: true,
  reasoning: true,
  seed: true,
  testDouble: true,
}
