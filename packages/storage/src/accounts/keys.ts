import type { ApiKeyRow, KeyFilters, KeyStore } from '@fairlead/accounts/stores'
import { type ExpressionBuilder, expressionBuilder } from 'kysely'
import { lowerAscii } from '../sql/dialect.ts'
import { containing, RecordTable } from '../sql/record-table.ts'
import type { Database, RowOf, Schema } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'
import { toOwner } from './owners.ts'
import { touch } from './touch.ts'

const where = expressionBuilder<Schema, 'api_keys'>()

export function sqlKeys(db: Database): KeyStore {
  const keys = new RecordTable(db, 'api_keys', toKey)
  return {
    async findBySecretHash(hash) {
      const row = await db
        .selectFrom('api_keys')
        .selectAll()
        .where(({ eb, or }) => or([eb('secret_hash', '=', hash), eb('previous_secret_hash', '=', hash)]))
        .executeTakeFirst()
      const owner = row && (await new RecordTable(db, 'users', toOwner).find(row.user_id))
      return (
        owner && { key: toKey(row), owner, secretExpiresAt: row.secret_hash === hash ? null : row.previous_expires_at }
      )
    },
    find: (id) => keys.find(id),
    findMany: (ids) => keys.findMany(ids),
    findCreatedBy: async (ids) => (ids.length === 0 ? [] : keys.where(where('created_by', 'in', ids))),
    list({ status, search, ...filters }, slice) {
      const text = search?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
      const matches = (column: string) => containing(lowerAscii(db, column), text ?? '')
      return keys.list(
        [
          ...whereClauses(filters),
          ...(status ? [havingStatus(status)] : []),
          ...(text === undefined ? [] : [where.or([matches('name'), matches('prefix')])]),
        ],
        slice,
      )
    },
    countAliveSince: (userId, aliveSince) => keys.count(whereClauses({ userId, aliveSince })),
    async add(key, secretHash) {
      const secrets = { secret_hash: secretHash, previous_secret_hash: null, previous_expires_at: null }
      await db
        .insertInto('api_keys')
        .values({ ...toRow(key), ...secrets })
        .execute()
    },
    async update(id, fields) {
      const { name, scopes, expiresAt, limits } = fields
      const values = toRow({ name, scopes, expiresAt, limits })
      await db.updateTable('api_keys').set(nextVersion).set(values).where('id', '=', id).execute()
    },
    async revoke(id, at) {
      await db.updateTable('api_keys').set(nextVersion).set({ revoked_at: at }).where('id', '=', id).execute()
    },
    async rotate(id, { hash, prefix, previousUntil }) {
      await db
        .updateTable('api_keys')
        .set(nextVersion)
        .set((set) => ({
          secret_hash: hash,
          prefix,
          previous_secret_hash: previousUntil === null ? null : set.ref('secret_hash'),
          previous_expires_at: previousUntil,
        }))
        .where('id', '=', id)
        .execute()
    },
    touch: (id, at, unlessSince) => touch(db, 'api_keys', id, { at, unlessSince }),
  }
}

function nextVersion({ eb }: ExpressionBuilder<Schema, 'api_keys'>) {
  return { version: eb('version', '+', 1) }
}

function whereClauses({ userId, aliveSince }: KeyFilters) {
  const endsLater = (end: 'revoked_at' | 'expires_at', instant: number) =>
    where.or([where(end, 'is', null), where(end, '>=', instant)])
  return [
    where('user_id', '=', userId),
    ...(aliveSince === undefined ? [] : [endsLater('revoked_at', aliveSince), endsLater('expires_at', aliveSince)]),
  ]
}

function havingStatus({ is, at }: NonNullable<KeyFilters['status']>) {
  if (is === 'revoked') return where('revoked_at', 'is not', null)
  const ends =
    is === 'expired'
      ? where('expires_at', '<=', at)
      : where.or([where('expires_at', 'is', null), where('expires_at', '>', at)])
  return where.and([where('revoked_at', 'is', null), ends])
}

function toKey(row: RowOf<ApiKeyRow>): ApiKeyRow {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes),
    createdBy: row.created_by,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    limits: row.limits === null ? null : JSON.parse(row.limits),
    version: row.version,
  }
}
