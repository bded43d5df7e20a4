import { answerText, lastPrompt, ProviderError } from '@fairlead/core/provider'
import { toFailure } from '../sample-http.ts'
import { bad, type BadProvider, changed, each, streamed } from './bad-provider.ts'

export const badOutcomes: readonly BadProvider[] = [
  bad('token', 'retries by itself', 'sends each request once and leaves retries to core (text)', { tries: 2 }),
  bad('lines', 'takes seconds for milliseconds', 'reads retry-after of a 429 (stream)', {
    toError: (status, ...rest) => {
      const error = toFailure(status, ...rest)
      return new ProviderError(error.failure, error.message, { retryAfterMs: (error.retryAfterMs ?? 0) / 1_000 })
    },
  }),
  bad('events', 'reads no date in retry-after', 'reads retry-after of a 429 that is a date (text)', {
    toError: (status, words, key, headers) =>
      toFailure(
        status,
        words,
        key,
        new Headers({ 'retry-after': String(parseInt(headers.get('retry-after') ?? '0')) }),
      ),
  }),
  bad('jobs', 'gives up on a server error', 'classifies status 503 and reveals no secret (text)', {
    toError: (status) => new ProviderError('give_up', `answered ${status}`),
  }),
  bad('events', 'follows redirects', 'follows no redirect to another host (stream)', { redirect: 'follow' }),
  changed('events', 'logs the prompt', 'prints nothing (text)', ({ generateText }) => ({
    generateText(request, call) {
      // oxlint-disable-next-line no-console -- this is the mistake
      console.log('asking', lastPrompt(request))
      return generateText(request, call)
    },
  })),
  changed(
    'lines',
    'leaves a listener on the process',
    'changes nothing that all programs share (stream)',
    ({ streamText }) => ({
      streamText(request, call) {
        process.on('beforeExit', ignoreExit)
        return streamText(request, call)
      },
    }),
  ),
  changed(
    'events',
    'swallows aborts',
    'hangs up within a second of an abort before the reply (text)',
    ({ generateText }) => ({
      generateText: (request, call) =>
        generateText(request, call).catch((error: unknown) => {
          if (call.signal.aborted) return new Promise<never>(() => {})
          throw error
        }),
    }),
  ),
  streamed(
    'lines',
    'has constant token counts',
    'reads the token counts of the reply (stream)',
    each((event) =>
      event.type === 'finish' ? [{ ...event, usage: { promptTokens: 4, completionTokens: 2 } }] : [event],
    ),
  ),
  changed(
    'jobs',
    'always ends with stop',
    'ends with length when the reply was cut off (text)',
    ({ generateText }) => ({
      generateText: async (request, call) => ({ ...(await generateText(request, call)), finishReason: 'stop' }),
    }),
  ),
  changed('token', 'trims its answers', 'returns the content unchanged (text)', ({ generateText }) => ({
    async generateText(request, call) {
      const answer = await generateText(request, call)
      return { ...answer, parts: [{ type: 'text', text: answerText(answer).trim() }] }
    },
  })),
]

function ignoreExit(): void {}
