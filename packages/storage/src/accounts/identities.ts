import type { Identity, IdentityStore } from '@fairlead/core/stores'
import { type RowOf, toRow } from '../sql/rows.ts'
import type { Database } from '../sql/schema.ts'

export function sqlIdentities(db: Database): IdentityStore {
  const identities = db.selectFrom('identities').selectAll()
  return {
    async find(issuer, subject) {
      const row = await identities.where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()
      return row && toIdentity(row)
    },
    ofUser: async (userId) => (await identities.where('user_id', '=', userId).execute()).map(toIdentity),
    async add(identity) {
      await db.insertInto('identities').values(toRow(identity)).execute()
    },
  }
}

function toIdentity(row: RowOf<Identity>): Identity {
  return { issuer: row.issuer, subject: row.subject, userId: row.user_id, createdAt: row.created_at }
}
