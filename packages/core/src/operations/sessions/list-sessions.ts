import { z } from 'zod'
import { requireAccount } from '../../access/require-account.ts'
import { isOver, mostSessions } from '../../access/session-life.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { instant } from '../field-schemas.ts'

export const listSessions = defineOperation({
  name: 'sessions',
  summary: 'Lists the caller’s sessions, newest first.',
  kind: 'read',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'GET', path: '/sessions' },
  graphql: { query: 'sessions' },
  input: z.strictObject({}),
  output: z.array(
    z
      .object({
        id: z.string().describe('Session id: `ses_` and digits.'),
        current: z.boolean().describe('Whether this request belongs to the session.'),
        createdAt: instant.describe('When the session began.'),
        refreshedAt: instant.describe('When the session was last refreshed.'),
        expiresAt: instant.describe('When the session expires unless it is refreshed.'),
      })
      .meta({ id: 'Session', description: 'A login session.' }),
  ),
  async run({ stores }, call) {
    const { userId, credential } = requireAccount(call.caller)
    const sessions = await stores.read((view) => view.sessions.ofUser(userId))
    // A user has no more than fit on one page.
    call.page({ nextCursor: null, hasMore: false, limit: mostSessions })
    return sessions
      .filter((session) => !isOver(session, call.at))
      .map(({ id, createdAt, refreshedAt, expiresAt }) => ({
        id,
        current: id === credential.id,
        createdAt: new Date(createdAt).toISOString(),
        refreshedAt: new Date(refreshedAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
      }))
  },
})
