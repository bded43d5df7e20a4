import { readThrottle, type ThrottleReading, type ThrottleRule, type ThrottleStore } from '@fairlead/accounts/stores'
import { purge } from '../sql/record-table.ts'
import type { Database } from '../sql/schema.ts'

export function sqlThrottles(db: Database): ThrottleStore {
  /** Locks a bucket and reads its hits: the upsert takes the lock before it reads. */
  async function open(bucket: string, expiresAt: number): Promise<readonly number[]> {
    const row = await db
      .insertInto('throttles')
      .values({ bucket, hits: '[]', expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ expires_at: expiresAt }))
      .returning('hits')
      .executeTakeFirstOrThrow()
    return JSON.parse(row.hits)
  }

  async function read(bucket: string, rule: ThrottleRule): Promise<ThrottleReading> {
    const row = await db.selectFrom('throttles').select('hits').where('bucket', '=', bucket).executeTakeFirst()
    return readThrottle(JSON.parse(row?.hits ?? '[]'), rule)
  }

  async function keep(bucket: string, hits: readonly number[]): Promise<void> {
    await db
      .updateTable('throttles')
      .set({ hits: JSON.stringify(hits) })
      .where('bucket', '=', bucket)
      .execute()
  }

  return {
    read,
    async hit(bucket, rule) {
      // A full bucket is only read, so that more attempts cause no writes.
      const before = await read(bucket, rule)
      if (!before.granted) return before
      const reading = readThrottle(await open(bucket, rule.at + rule.windowMs), rule)
      if (reading.granted) await keep(bucket, [...reading.hits, rule.at])
      return reading
    },
    purge: (before, limit) => purge(db, { from: 'throttles', key: ['bucket'], by: 'expires_at' }, before, limit),
    async clear(bucket) {
      await db.deleteFrom('throttles').where('bucket', '=', bucket).execute()
    },
  }
}
