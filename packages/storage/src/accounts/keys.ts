import { type ApiKey, type KeyFilters, type KeyStore, maxClockSkewMs } from '@fairlead/core/stores'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { lowerAscii } from '../sql/dialect.ts'
import { containing, inSlice } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { toUser } from './users.ts'

export function sqlKeys(db: Database): KeyStore {
  return {
    async findBySecretHash(hash) {
      const row = await db
        .selectFrom('api_keys')
        .selectAll()
        .where(({ eb, or }) => or([eb('secret_hash', '=', hash), eb('previous_secret_hash', '=', hash)]))
        .executeTakeFirst()
      const user = row && (await db.selectFrom('users').selectAll().where('id', '=', row.user_id).executeTakeFirst())
      return (
        user && {
          key: toKey(row),
          user: toUser(user),
          secretExpiresAt: row.secret_hash === hash ? null : row.previous_expires_at,
        }
      )
    },
    async find(id) {
      const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toKey(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('api_keys').selectAll().where('id', 'in', ids).execute()
      return rows.map(toKey)
    },
    async findCreatedBy(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('api_keys').selectAll().where('created_by', 'in', ids).execute()
      return rows.map(toKey)
    },
    async list({ status, search, ...filters }, slice) {
      let query = db.selectFrom('api_keys').selectAll().where(fitting(filters))
      if (status) query = query.where(havingStatus(status))
      if (search !== undefined) {
        const text = search.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        const matches = ['name', 'prefix'].map((column) => containing(lowerAscii(db, column), text))
        query = query.where(({ or }) => or(matches))
      }
      return (await inSlice(query, slice).execute()).map(toKey)
    },
    async countAliveSince(userId, aliveSince) {
      const { total } = await db
        .selectFrom('api_keys')
        .select((select) => select.fn.countAll<number>().as('total'))
        .where(fitting({ userId, aliveSince }))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async add({ userId, scopes, createdBy, createdAt, lastUsedAt, expiresAt, revokedAt, ...key }, secretHash) {
      await db
        .insertInto('api_keys')
        .values({
          ...key,
          user_id: userId,
          secret_hash: secretHash,
          previous_secret_hash: null,
          previous_expires_at: null,
          scopes: JSON.stringify(scopes),
          created_by: createdBy,
          created_at: createdAt,
          last_used_at: lastUsedAt,
          expires_at: expiresAt,
          revoked_at: revokedAt,
        })
        .execute()
    },
    async update(id, { name, scopes, expiresAt }) {
      const values = { name, scopes: JSON.stringify(scopes), expires_at: expiresAt }
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
    async touch(id, at, unlessSince) {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where(({ eb, or }) =>
          or([
            eb('last_used_at', 'is', null),
            eb('last_used_at', '<=', unlessSince),
            eb('last_used_at', '>', at + maxClockSkewMs),
          ]),
        )
        .execute()
    },
  }
}

function nextVersion({ eb }: ExpressionBuilder<Schema, 'api_keys'>) {
  return { version: eb('version', '+', 1) }
}

function fitting({ userId, aliveSince }: KeyFilters) {
  return (where: ExpressionBuilder<Schema, 'api_keys'>) => {
    const endsLater = (end: 'revoked_at' | 'expires_at', instant: number) =>
      where.or([where(end, 'is', null), where(end, '>=', instant)])
    return where.and([
      where('user_id', '=', userId),
      ...(aliveSince === undefined ? [] : [endsLater('revoked_at', aliveSince), endsLater('expires_at', aliveSince)]),
    ])
  }
}

function havingStatus({ is, at }: NonNullable<KeyFilters['status']>) {
  return (where: ExpressionBuilder<Schema, 'api_keys'>) => {
    if (is === 'revoked') return where('revoked_at', 'is not', null)
    const ends =
      is === 'expired'
        ? where('expires_at', '<=', at)
        : where.or([where('expires_at', 'is', null), where('expires_at', '>', at)])
    return where.and([where('revoked_at', 'is', null), ends])
  }
}

function toKey(row: Selectable<Schema['api_keys']>): ApiKey {
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
    version: row.version,
  }
}
