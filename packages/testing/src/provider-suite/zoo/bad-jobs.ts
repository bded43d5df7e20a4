import { ProviderError } from '@fairlead/core/provider'
import { type Habits, readState } from '../sample-provider.ts'
import { bad, type BadProvider, changed, never, rejecting } from './bad-provider.ts'

/** Work that goes on after its caller has left. */
async function abandoned<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  work.catch(() => {})
  const left = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => left.reject(signal.reason))
  return Promise.race([work, left.promise])
}

export const badJobs: readonly BadProvider[] = [
  changed(
    'jobs',
    'goes on asking after an abort',
    'stops asking for a job within a second of an abort (text)',
    ({ generateText }) => ({
      async generateText(request, call) {
        call.signal.throwIfAborted()
        return abandoned(generateText(request, { ...call, signal: never() }), call.signal)
      },
    }),
  ),
  changed(
    'everything',
    'starts a job whose caller has left',
    'hangs up within a second of an abort (POST /jobs, text)',
    ({ generateText }) => ({
      async generateText(request, call) {
        call.signal.throwIfAborted()
        return generateText(request, { ...call, signal: never() })
      },
    }),
  ),
  rejecting(
    'the job takes too long',
    bad('jobs', 'asks for a job three times', 'asks for a job until it has ended (text)', impatient()),
  ),
  bad('jobs', 'takes a failed job for a pending one', 'fails when a job fails (text)', {
    readJob: (job) => (job.state === 'done' ? readState(job) : undefined),
  }),
  bad('jobs', 'takes a failed job for an empty text', 'fails when a job fails (text)', {
    readJob: (job) =>
      job.state === 'failed' ? '{"text":"","ended":"done","tokens":{"read":0,"written":0}}' : readState(job),
  }),
  changed('jobs', 'asks for the job of the latest call', 'keeps two calls at once apart (text)', ({ generateText }) => {
    let latestCall: ReturnType<typeof generateText>
    return {
      async generateText(request, call) {
        latestCall = generateText(request, call)
        await Promise.resolve()
        return latestCall
      },
    }
  }),
  changed(
    'everything',
    'returns the answer of an equal call before',
    'asks the API again for the same request (text)',
    ({ generateText }) => {
      const answers = new Map<string, ReturnType<typeof generateText>>()
      return {
        async generateText(request, call) {
          const key = JSON.stringify(request)
          if (!answers.has(key)) answers.set(key, generateText(request, call))
          return answers.get(key)!
        },
      }
    },
  ),
]

/** Gives up after three requests for the same job. */
function impatient(): Habits {
  let pending = 0
  return {
    async pause() {
      if (++pending % 3 === 0) throw new ProviderError('timeout', 'the job takes too long')
    },
  }
}
