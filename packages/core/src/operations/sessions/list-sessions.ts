import { z } from 'zod'
import { requireAccount } from '../../access/require-account.ts'
import { isOver, mostSessions } from '../../access/session-life.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { instant } from '../field-schemas.ts'

export const listSessions = defineOperation({
  name: 'sessions',
  summary: 'Lists the caller’s sessions, the newest first.',
  kind: 'read',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'GET', path: '/sessions' },
  graphql: { query: 'sessions' },
  input: z.strictObject({}),
  output: z.array(
    z
      .object({
        id: z.string().describe('`ses_` and digits.'),
        current: z.boolean().describe('Whether the request came in this session.'),
        createdAt: instant.describe('When it began.'),
        refreshedAt: instant.describe('When it was last carried on.'),
        expiresAt: instant.describe('When it ends unless it is refreshed.'),
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
