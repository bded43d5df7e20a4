import type { RecordedExchange, RecordedReply } from '../fakes/recorded-exchange.ts'
import { blankPng } from '../fakes/blank-png.ts'
import { textAnswer } from '@fairlead/core/provider'
import type { Protocol } from './sample-provider.ts'
import type { ProviderSuiteOptions } from './suite-options.ts'
import { suiteApiKey } from './suite-world.ts'

const request = { model: 'any', prompt: 'Greet me.', maxTokens: 64, temperature: 0.7, topP: 1 } as const
const messages = [{ role: 'user', content: [{ type: 'text', text: 'Greet me.' }] }]
const { prompt: _prompt, ...settings } = request
const whole = { ...settings, messages, frequencyPenalty: 0, presencePenalty: 0 }
const end = { ended: 'done', tokens: { read: 4, written: 2 } }
const answer = textAnswer('Hello there', { usage: { promptTokens: 4, completionTokens: 2 } })
const png = blankPng(256, 256)
const picture = {
  model: 'picture',
  prompt: 'A lake.',
  width: 256,
  height: 256,
  quality: 'standard',
  style: 'natural',
} as const
const texts = { model: 'vectors', texts: ['A lake.', 'A city.'] }
const embeddings = [
  [0.5, 0.25, 0],
  [0, 0.125, 1],
]
const analyzed = { analyzer: 'eyes', text: 'I love Berlin.', tasks: ['sentiment'], language: 'en' } as const
const analysis = { sentiment: { score: 0.9, label: 'positive' } } as const

function exchangeTo(path: string, body: object, reply: RecordedReply) {
  return { request: { method: 'POST', path, body }, reply }
}

/** The replays of the suite for the sample. */
export const sampleReplay: Required<NonNullable<ProviderSuiteOptions['replay']>> = {
  text: { request, exchange: exchangeTo('/write', whole, { json: { text: 'Hello there', ...end } }), answer },
  stream: {
    request,
    exchange: exchangeTo(
      '/write',
      { ...whole, stream: true },
      { events: [{ data: { piece: 'Hello' } }, { data: { piece: ' there' } }, { data: end }] },
    ),
    answer,
  },
  image: {
    request: picture,
    exchange: exchangeTo('/paint', picture, { json: { png: Buffer.from(png).toString('base64') } }),
    answer: { png: Buffer.from(png) },
  },
  analysis: { request: analyzed, exchange: exchangeTo('/read', analyzed, { json: analysis }), answer: { analysis } },
  embedding: {
    request: texts,
    exchange: exchangeTo('/embed', texts, {
      json: { found: embeddings.map((vector, at) => ({ at, vector })), read: 6 },
    }),
    answer: { embeddings, promptTokens: 6 },
  },
}

/** The recordings of the sample whose API has another protocol, or gives tokens. */
export function sampleOptions(protocol: Protocol, signsIn: boolean, given: ProviderSuiteOptions): ProviderSuiteOptions {
  const toScript = (recording: RecordedExchange | readonly RecordedExchange[]): readonly RecordedExchange[] => {
    const [called] = [recording].flat() as readonly RecordedExchange[]
    return [...(signsIn ? [tokenRequest] : []), ...toProtocol(called!, protocol)]
  }
  const replay = Object.fromEntries(
    Object.entries(given.replay ?? {}).map(([kind, { exchange: called, ...others }]) => {
      const failing = protocol === 'jobs' && kind === 'text' ? { failing: { json: { state: 'failed' } } } : {}
      return [kind, { ...others, ...failing, exchanges: toScript(called as RecordedExchange) }]
    }),
  )
  const capabilities = Object.fromEntries(
    Object.entries(given.capabilities ?? {}).map(([name, { text, stream, ...others }]) => {
      return [name, { ...others, ...(text && { text: toScript(text) }), ...(stream && { stream: toScript(stream) }) }]
    }),
  )
  return { ...given, replay, capabilities, ...(signsIn && { secretIn: tokenRequest.name }) }
}

const tokenRequest = {
  name: 'token request',
  request: {
    method: 'POST',
    path: '/token',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_secret: suiteApiKey }).toString(),
  },
  reply: { json: { access_token: 'tok_Jq7Vw2Zr9Xb4', token_type: 'Bearer', expires_in: 3_600 } },
}

function toProtocol(exchange: RecordedExchange, protocol: Protocol): readonly RecordedExchange[] {
  const { request: sent, reply } = exchange
  const { events, json, ...others } = reply
  if (protocol === 'lines' && events) {
    return [{ request: sent, reply: { ...others, lines: events.map(({ data }) => data) } }]
  }
  if (protocol !== 'jobs' || sent.path !== '/write' || !json) return [exchange]
  const ask = { method: 'GET', path: '/jobs/job_4711' }
  return [
    { request: { ...sent, path: '/jobs' }, reply: { json: { job: 'job_4711' } } },
    { request: ask, reply: { json: { state: 'pending' } } },
    { main: true, request: ask, reply: { ...others, json: { state: 'done', ...json } } },
  ]
}
