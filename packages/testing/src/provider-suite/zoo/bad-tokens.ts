import { ProviderError } from '@fairlead/core/provider'
import { sharedTokens, toFailure, type Tokens } from '../sample-http.ts'
import type { Habits } from '../sample-provider.ts'
import { bad, type BadProvider, never, rejecting } from './bad-provider.ts'

/** Each call has a token for itself. */
const singleTokens: NonNullable<Habits['tokens']> = (fetchToken) => ({
  get: (signal) => fetchToken(signal),
  forget() {},
})

/** The tokens of calls that come one after the other. */
const unshared: NonNullable<Habits['tokens']> = (fetchToken) => {
  let token: string | undefined
  return {
    get: async (signal) => (token ??= await fetchToken(signal)),
    forget: () => void (token = undefined),
  }
}

/** One token, whatever becomes of it. */
const keeping =
  (signalFor: (signal: AbortSignal) => AbortSignal): NonNullable<Habits['tokens']> =>
  (fetchToken): Tokens => {
    let token: Promise<string> | undefined
    return {
      get: (signal) => (token ??= fetchToken(signalFor(signal))),
      forget: () => void (token = undefined),
    }
  }

export const badTokens: readonly BadProvider[] = [
  bad('token', 'gets a token for every call', 'gets one token for all calls (text)', { tokens: singleTokens }),
  bad('token', 'gets a token for each of several calls at once', 'gets one token for calls at once (text)', {
    tokens: unshared,
  }),
  rejecting(
    'answered 503',
    bad('everything', 'keeps a failed token request', 'gets another token after a failed token request (text)', {
      tokens: keeping(never),
    }),
  ),
  rejecting(
    'answered 401',
    bad('token', 'never gets another token', 'gets another token after the API rejected one (text)', {
      tokens: (fetchToken) => ({ ...sharedTokens(fetchToken), forget() {} }),
    }),
  ),
  rejecting(
    'the caller left',
    bad('token', 'aborts the token of others', 'gets the token for others when one call is aborted (text)', {
      tokens: keeping((signal) => signal),
    }),
  ),
  bad('token', 'reveals its token', 'classifies status 401 and reveals no secret (text)', {
    tokens: (fetchToken) => {
      const shared = sharedTokens(fetchToken)
      return { ...shared, get: async (signal) => (latest.token = await shared.get(signal)) }
    },
    toError: (status, words, key, headers) =>
      Object.assign(toFailure(status, words, key, headers), { message: `${latest.token} was rejected` }),
  }),
  bad(
    'everything',
    'reveals its key in a failed token request',
    'classifies failures and reveals no secret (token request, text)',
    {
      toError: (status, words, key, headers) =>
        Object.assign(toFailure(status, words, key, headers), { cause: { client_secret: key } }),
    },
  ),
  bad(
    'everything',
    'takes a rejected key for an outage',
    'classifies failures and reveals no secret (token request, stream)',
    {
      toError: (status, words, key, headers) =>
        status === 401 ? new ProviderError('retry', 'no token') : toFailure(status, words, key, headers),
    },
  ),
]

const latest = { token: '' }
