import { lastPrompt } from '@fairlead/core/provider'
import { bad, type BadProvider, changed } from './bad-provider.ts'

export const badRequests: readonly BadProvider[] = [
  bad('events', 'drops a temperature of 0', 'sends temperature or warns (text, 0.7 to 0)', {
    toBody: ({ temperature, ...rest }) => ({ ...rest, temperature: temperature || undefined }),
  }),
  bad('lines', 'adds a token to maxTokens', 'sends maxTokens or warns (stream, its default to 47)', {
    toBody: ({ maxTokens = 63, ...rest }) => ({ ...rest, maxTokens: maxTokens + 1 }),
  }),
  bad('jobs', 'sends one stop sequence', 'sends stop or warns (text, ["END"] to ["END","HALT"])', {
    toBody: ({ stop, ...rest }) => ({ ...rest, stop: stop?.slice(0, 1) }),
  }),
  bad('events', 'rounds the temperature', 'sends temperature on one scale or warns (text)', {
    toBody: ({ temperature, ...rest }) => ({
      ...rest,
      ...(temperature && { temperature: Math.round(temperature * 10) / 10 }),
    }),
  }),
  bad('lines', 'drops a topP of 0', 'sends topP or warns (stream, 0.4 to 0)', {
    toBody: ({ topP, ...rest }) => ({ ...rest, topP: topP || undefined }),
  }),
  bad('jobs', 'sends one model for all', 'sends the requested model (text)', {
    toBody: (request) => ({ ...request, model: 'any' }),
  }),
  bad('token', 'drops the seed', 'sends seed or warns (text, its default to 4711)', {
    toBody: ({ seed: _seed, ...rest }) => rest,
  }),
  bad('events', 'drops the system message', 'sends every text of the request (system, stream)', {
    toBody: ({ messages, ...rest }) => ({ ...rest, messages: messages.filter(({ role }) => role !== 'system') }),
  }),
  bad('jobs', 'sends the last message alone', 'sends every text of the request (chat, text)', {
    toBody: ({ messages, ...rest }) => ({ ...rest, messages: messages.slice(-1) }),
  }),
  bad('lines', 'trims the prompt', 'sends the whole prompt or rejects it (stream)', {
    toBody: (request) => ({
      ...request,
      messages: [{ role: 'user', content: [{ type: 'text', text: lastPrompt(request).trim() }] }],
    }),
  }),
  bad('events', 'has a default for maxTokens', 'leaves out maxTokens when it is absent (stream)', {
    toBody: (request) => ({ maxTokens: 1_024, ...request }),
  }),
  changed(
    'jobs',
    'keeps settings for later calls',
    'sends the same request after any other (text)',
    ({ generateText }) => {
      const kept = {}
      return { generateText: (request, call) => generateText({ ...Object.assign(kept, request) }, call) }
    },
  ),
  changed('lines', 'changes its request', 'changes nothing in its request (stream)', ({ streamText }) => ({
    streamText: (request, call) => streamText(Object.assign(request, { seed: 7 }), call),
  })),
  bad('events', 'ignores the index of vectors', 'reads the vectors in the order of their index (embedding)', {
    sort: (found) => found,
  }),
  changed('events', 'joins batches as they arrive', 'keeps the order of many texts (embedding)', ({ embed }) => ({
    async embed({ texts, ...request }, call) {
      const embeddings: (readonly number[] | Float32Array)[] = []
      const batches = Array.from({ length: Math.ceil(texts.length / 100) }, (_, index) =>
        texts.slice(index * 100, (index + 1) * 100),
      )
      const embedBatch = async (batch: readonly string[]) => {
        const answer = await embed({ ...request, texts: batch }, call)
        embeddings.push(...answer.embeddings)
      }
      await Promise.all(batches.map(embedBatch))
      return { embeddings }
    },
  })),
]
