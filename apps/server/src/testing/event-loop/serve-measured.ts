import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { lastPrompt, textAnswer } from '@fairlead/core/provider'
import { embedder, scripted, fakeTextModel } from '@fairlead/testing'
import { local } from '@fairlead/provider-local'
import { destination } from 'pino'
import { readConfig } from '../../config.ts'
import { start } from '../../start.ts'

// Runs the service in its own process and measures how long requests block the event loop: the CPU time of the main
// thread between two turns, so that other programs on the machine do not affect it.

let inFlight = 0
let last = 0
let heldMs = 0

const now = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function measure(): void {
  const at = now()
  heldMs = Math.max(heldMs, at - last)
  last = at
  if (inFlight > 0) setImmediate(measure)
}

subscribe('http.server.request.start', (message) => {
  const { response } = message as { readonly response: ServerResponse }
  if (++inFlight === 1) {
    last = now()
    setImmediate(measure)
  }
  // Another turn, because work after the response is part of the request.
  response.on('close', () => setImmediate(() => void inFlight--))
})

// A model that returns the longest names in a text. The text is between two lines that start with three characters.
const reading = scripted('reading', '')
const findNames = (prompt: string) => {
  const [, , text = ''] = prompt.split(/^=== [0-9a-f]+ ===$/m)
  const entities = Array.from({ length: 100 }, (_, index) => ({
    text: text.slice(index, index + 2_000 - index) || 'x',
    type: 'OTHER',
    confidence: 1,
  }))
  return JSON.stringify({ language: 'en', sentiment: { score: 0, label: 'neutral' }, entities, keywords: [] })
}

// A model whose embeddings have as many digits as real models'.
const numbers = embedder('numbers', { embedding: { dimensions: 3_072 }, maxTokens: 8_192 })
const digits = Float32Array.from({ length: 3_072 }, (_, index) => Math.sin(index + 1) / 32)

const { port, firstAdmin } = await start(readConfig(process.env), {
  service: { name: 'Fairlead', version: 'test' },
  logTo: destination(2),
  loadProviders: async () => [
    local(),
    {
      ...reading,
      models: [fakeTextModel({ structured: true, chat: true, tools: true, vision: true })],
      generateText: async (request) => textAnswer(findNames(lastPrompt(request))),
    },
    { ...numbers, embed: async ({ texts }) => ({ embeddings: texts.map(() => digits), promptTokens: 1 }) },
  ],
})
// How slow memory is at present: on some machines, new memory takes ten times as long while other programs run.
let yardstick = Buffer.alloc(0)
function parseMs(bytes: number): number {
  if (yardstick.length !== bytes + 2) yardstick = Buffer.from(JSON.stringify('x'.repeat(bytes)))
  const times = [1, 2, 3].map(() => {
    const startedAt = now()
    JSON.parse(yardstick.toString())
    return now() - startedAt
  })
  return Math.min(...times)
}

process.on('message', (bodyBytes: number) => {
  process.send?.({ heldMs, parseMs: parseMs(bodyBytes) })
  heldMs = 0
})
process.on('disconnect', () => process.exit(0))
process.send?.({ port, key: firstAdmin?.apiKey })
