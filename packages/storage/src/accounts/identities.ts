import type { IdentityRow, IdentityStore, PasskeyStore } from '@fairlead/accounts/stores'
import type { PasskeyRow } from '@fairlead/accounts'
import { sql } from 'kysely'
import { equal, RecordTable } from '../sql/record-table.ts'
import type { Database, RowOf } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'

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

function toIdentity(row: RowOf<IdentityRow>): IdentityRow {
  return { issuer: row.issuer, subject: row.subject, userId: row.user_id, createdAt: row.created_at }
}

export function sqlPasskeys(db: Database): PasskeyStore {
  const passkeys = new RecordTable(db, 'passkeys', toPasskey)
  return {
    find: (id) => passkeys.find(id),
    findByCredential: async (credentialId) =>
      (await passkeys.where(...equal<'passkeys'>({ credential_id: credentialId })))[0],
    ofUser: (userId) => passkeys.select(sql`select * from passkeys where user_id = ${userId} order by created_at, id`),
    async add(passkey) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('passkeys')
        .values(toRow(passkey))
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirst()
      return Number(numInsertedOrUpdatedRows) === 1
    },
    async replace(passkey) {
      const { id, ...row } = toRow(passkey)
      await db.updateTable('passkeys').set(row).where('id', '=', id).execute()
    },
    async remove(ids) {
      if (ids.length > 0) await db.deleteFrom('passkeys').where('id', 'in', ids).execute()
    },
  }
}

function toPasskey(row: RowOf<PasskeyRow>): PasskeyRow {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
    name: row.name,
    isBackedUp: row.is_backed_up === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
