import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { shipments } from '@fairlead/shipments'
import { addTestCaller, shipmentInput } from '@fairlead/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

const metered = ['counters', 'usage_records']

describe.skipIf(!database)('a PostgreSQL server whose disk is full', () => {
  test('a PostgreSQL server whose disk is full still answers reads, refuses writes, and charges the reads once there is space', async () => {
    const logged: string[] = []
    const log = { warn: (_facts: object, message: string) => void logged.push(message), error: () => {} }
    const stores = await postgresStores({ url: database!.url, log })
    const { core } = createFairlead({ providers: [], features: [accounts(), shipments()], stores, log })
    onTestFinished(() => core.close())
    const { credentials, keyId } = await addTestCaller(stores, { now: Date.now })
    await database!.query(`
      create function fill_disk() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file' using errcode = '53100';
      end $$
    `)
    for (const table of metered) {
      await database!.query(`create trigger full_disk before insert on ${table} execute function fill_disk()`)
    }
    for (let n = 0; n < 5; n++) {
      expect(await core.run(operations.shipments, credentials, {})).toMatchObject({ success: true, data: [] })
    }
    expect(await core.run(operations.createShipment, credentials, shipmentInput())).toMatchObject({
      error: { code: 'SERVICE_UNAVAILABLE' },
    })
    expect(logged.filter((message) => message.includes('circuit'))).toEqual([])
    for (const table of metered) await database!.query(`drop trigger full_disk on ${table}`)
    const used = async () => (await stores.read((view) => view.counters.peek(keyId))).used
    await expect.poll(used).toBe(5)
  })
})
