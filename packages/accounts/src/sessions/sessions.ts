import * as z from 'zod'
import { actingUser, requireAccount, deletion, instant, namedObject, toInstant } from '@fairlead/core/feature'
import { FairleadError } from '@fairlead/core'
import { isEnded, maxSessions } from './session.ts'
import { read, write, type AccountServices } from '../services.ts'

export const listSessions = read({
  name: 'sessions',
  summary: 'Lists the caller’s sessions, newest first.',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'GET', path: '/sessions' },
  graphql: { query: 'sessions' },
  input: z.strictObject({}),
  output: z.array(
    namedObject('Session', 'A login session.', {
      id: z.string().describe('Session id: `ses_` and digits.'),
      current: z.boolean().describe('Whether this request belongs to the session.'),
      userAgent: z
        .string()
        .nullable()
        .describe(
          'Browser and system of the sign-in, such as `Firefox on Linux`, or the start of its `User-Agent` header. Null if it is unknown.',
        ),
      address: z.string().nullable().describe('Network address of the sign-in. Null if it is unknown.'),
      createdAt: instant.describe('When the session began.'),
      lastUsedAt: instant.describe('When the session was last used, to the minute.'),
      refreshedAt: instant.describe('When the session was last refreshed.'),
      expiresAt: instant.describe('When the session expires unless it is refreshed.'),
    }),
  ),
  async run({ stores }, call) {
    const account = requireAccount(call.caller)
    const { credential } = account
    const sessions = await stores.read((view) => view.sessions.ofUser(actingUser(account)))
    // A user has at most `maxSessions`, so one page holds them all.
    call.page({ nextCursor: null, hasMore: false, limit: maxSessions })
    return sessions
      .filter((session) => session.generation > 0 && !isEnded(session, call.at))
      .map(({ id, userAgent, address, createdAt, lastUsedAt, refreshedAt, expiresAt }) => ({
        id,
        current: id === credential.id,
        userAgent,
        address,
        createdAt: toInstant(createdAt),
        lastUsedAt: toInstant(Math.max(lastUsedAt ?? 0, refreshedAt)),
        refreshedAt: toInstant(refreshedAt),
        expiresAt: toInstant(expiresAt),
      }))
  },
})

export const endSession = write({
  name: 'endSession',
  summary: 'Ends one of the caller’s sessions.',
  access: { scope: 'keys', inProject: 'viewer' },
  metered: false,
  rest: { method: 'DELETE', path: '/sessions/{id}' },
  graphql: { mutation: 'endSession' },
  input: z.strictObject({ id: z.string().describe('Session id.') }),
  output: deletion,
  errors: ['NOT_FOUND'],
  async apply(tx, call, { id }) {
    const userId = actingUser(requireAccount(call.caller))
    const session = await tx.sessions.take(id)
    if (session?.userId !== userId) throw new FairleadError('NOT_FOUND', 'Session not found.')
    await tx.sessions.remove([id])
    call.audit({ target: { type: 'session', id } })
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ credentialId: id }))
    return { id, deleted: true as const }
  },
})
