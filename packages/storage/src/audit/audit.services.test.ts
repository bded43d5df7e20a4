import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { accounts, audit } from '@fairlead/accounts'
import { type AuditEntryRow, createFairlead } from '@fairlead/core'
import { type AuditExpectation, verifyAudit } from '@fairlead/accounts/server'
import { addAuditEntries, addPlainEntry } from '@fairlead/testing/workspace'
import { plainPasswords } from '@fairlead/testing'
import type { Stores } from '../stores.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresStores } from '../postgres/postgres-stores.ts'
import { sqliteStores } from '../sqlite/sqlite-stores.ts'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const server = await findPostgres()

const secretKeys = { current: 'the key of the service' }

const deleteAll = 'delete from audit_entries; delete from audit_months'
const cutTail = `
  delete from audit_entries where number > 3;
  update audit_months set entries = 3, hash = (select hash from audit_entries where number = 3)`

const someEntry: AuditEntryRow = {
  id: 'aud_1',
  createdAt: 0,
  action: 'patchUser',
  outcome: 'ok',
  actor: 'operator',
  credential: null,
  projectId: null,
  targetType: 'user',
  targetId: 'usr_1',
  before: { name: 'Ada' },
  after: { name: 'Grace' },
  address: null,
  requestId: null,
}

/** Creates five users, which are five entries, in a file that an attacker can write. */
async function setup() {
  const directory = await mkdtemp(join(tmpdir(), 'fairlead-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'fairlead.db')
  const stores = await sqliteStores({ path })
  const file = new DatabaseSync(path)
  onTestFinished(async () => {
    file.close()
    await stores.close()
  })
  const log = await openLog(stores)
  return { file, exec: async (statement: string) => file.exec(statement), ...log }
}

/** The same on PostgreSQL. */
async function setupPostgres() {
  const { url, query, drop } = await createTestDatabase(server!)
  onTestFinished(drop)
  const stores = await postgresStores({ url })
  onTestFinished(() => stores.close())
  const log = await openLog(stores)
  return { exec: async (statement: string) => void (await query(statement)), ...log }
}

async function openLog(stores: Stores) {
  const features = [accounts({ passwords: plainPasswords() }), audit()] as const
  const core = createFairlead({ providers: [], features, stores, secretKeys })
  const create = (name: string) =>
    core.users.create({ email: `${name}@example.com`, name, password: 'a long password' })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name)
  return {
    stores,
    create,
    faults: (expected?: AuditExpectation) => faultsIn(stores, expected),
    head: async () => (await verifyAudit(stores, secretKeys)).head ?? '',
  }
}

/** Adds entries of somebody else with plain hashes. */
async function forge(stores: Stores, entries: readonly AuditEntryRow[]): Promise<void> {
  for (const entry of entries) {
    const { id, createdAt, action, outcome, targetType, targetId } = entry
    const forged = { ...someEntry, id, createdAt, action, outcome, targetType, targetId, actor: 'usr_1' }
    await stores.transact((tx) => addPlainEntry(tx, forged))
  }
}

async function faultsIn(stores: Stores, expected?: AuditExpectation): Promise<readonly string[]> {
  const { months, faults } = await verifyAudit(stores, secretKeys, expected)
  return [...months.flatMap(({ fault }) => fault ?? []), ...faults]
}

describe('the audit log', () => {
  test.each([
    ['an entry is removed', 'delete from audit_entries where number = 3', 'entry 3 is missing'],
    ['the first entry is removed', 'delete from audit_entries where number = 1', 'entry 1 is missing'],
    ['the last entry is removed', 'delete from audit_entries where number = 5', 'entry 5 is missing'],
    ['all entries are removed', 'delete from audit_entries', 'entry 1 is missing'],
    ['an entry is changed', "update audit_entries set actor = 'usr_1' where number = 2", 'entry 2 '],
    [
      'the record of an entry is changed',
      `update audit_entries set after = '{"tier":"free"}' where number = 2`,
      'entry 2 ',
    ],
    [
      'entries are reordered',
      `update audit_entries set number = 9 where number = 2;
       update audit_entries set number = 2 where number = 3;
       update audit_entries set number = 3 where number = 9`,
      'entry 2 ',
    ],
    [
      'an entry is removed and the others are numbered anew',
      'delete from audit_entries where number = 4; update audit_entries set number = 4 where number = 5',
      'entry 4 ',
    ],
    ['the end of the month is removed', 'delete from audit_months', 'the end of the month is not noted'],
    ['the end of the month is changed', "update audit_months set hash = 'x'", 'the last entry was replaced'],
    ['an entry gets another signature', "update audit_entries set mac = 'x' where number = 2", 'entry 2 '],
    ['an entry loses its signature', 'update audit_entries set mac = null where number = 2', 'entry 2 '],
    ['an entry is moved to another month', "update audit_entries set month = '2026-01' where number = 5", 'not noted'],
    ['the months are removed with their entries', deleteAll, 'entry 1 is missing'],
    ['the head is removed with all else', `${deleteAll}; delete from audit_heads`, 'no head was signed'],
    ['the head is changed', `update audit_heads set value = replace(value, '"number":5', '"number":4')`, 'was changed'],
  ])('the audit log shows it if %s', async (_what, statement, fault) => {
    const { file, faults } = await setup()
    expect(await faults()).toEqual([])
    file.exec(statement)
    expect(await faults()).toEqual(expect.arrayContaining([expect.stringContaining(fault)]))
  })
})

describe.each([['SQLite', setup], ...(server ? [['PostgreSQL', setupPostgres] as const] : [])] as const)(
  'an attack on the audit log in %s',
  (_name, open) => {
    test('an attack on the audit log that cuts its tail and notes the end anew is seen, also after new entries', async () => {
      const { exec, faults, create } = await open()
      await exec(cutTail)
      expect(await faults()).toEqual(['entry 4 is missing'])
      await create('f')
      expect(await faults()).toEqual(['entry 4 is missing'])
    })

    test('an attack on the audit log that deletes all of it is seen, also after new entries', async () => {
      const { exec, faults, head, create } = await open()
      const before = await head()
      await exec(deleteAll)
      expect(await faults()).toEqual(['entry 1 is missing'])
      await exec('delete from audit_heads')
      expect(await faults()).toContain('no head was signed, or it was removed')
      await create('f')
      // The log is the one of a new database now: only a head that was kept elsewhere shows that it is not.
      expect(await faults()).toEqual([])
      expect(await faults({ expect: before })).toEqual([`the expected head is not in the log: ${before}`])
    })

    test('an attack on the audit log that restores an earlier state as a whole is seen with a head of after it', async () => {
      const { exec, faults, head, create, stores } = await open()
      const early = await head()
      const signed = await stores.read((view) => view.audit.head())
      await create('f')
      const late = await head()
      await stores.transact((tx) => tx.audit.setHead(signed!))
      await exec(`delete from audit_entries where number = 6; update audit_months set entries = 5, hash = '${early}'`)
      expect(await faults({ expect: early })).toEqual([])
      expect(await faults({ expect: late })).toEqual([`the expected head is not in the log: ${late}`])
    })

    test('an attack on the audit log that replaces signed entries with plain hashes is seen, also after new entries', async () => {
      const { exec, faults, stores, create } = await open()
      const [month] = await stores.read((view) => view.audit.ends())
      const kept = await stores.read((view) => view.audit.ofMonth(month!.month, 0, 9))
      await exec(cutTail)
      await forge(stores, kept.slice(3))
      expect(await faults()).toContain('entry 5 is not the signed head')
      await forge(stores, [{ ...kept[0]!, id: 'aud_1' }])
      await create('f')
      expect(await faults({ unsigned: 3 })).toEqual([expect.stringContaining('signed entries were replaced')])
    })

    test('an attack on the audit log that removes its head to pass a forged log off as an old one is seen', async () => {
      const { exec, faults, stores } = await open()
      const [month] = await stores.read((view) => view.audit.ends())
      const kept = await stores.read((view) => view.audit.ofMonth(month!.month, 0, 9))
      await exec(`${deleteAll}; delete from audit_heads`)
      await forge(stores, kept)
      expect(await faults()).toEqual(['no head was signed, or it was removed'])
    })
  },
)

describe('the months of the audit log', () => {
  /** Two months of two entries, and one entry of now. */
  async function setupMonths() {
    const world = await setup()
    await world.exec(`${deleteAll}; delete from audit_heads`)
    for (const [at, month] of ['2026-01', '2026-02', '2026-03'].entries()) {
      const createdAt = Date.parse(`${month}-10T00:00:00.000Z`)
      const entries = [1, 2].map((number) => ({ ...someEntry, createdAt, id: `aud_${at}${number}` }))
      await world.stores.transact((tx) => addAuditEntries(tx, secretKeys, entries))
    }
    expect(await world.faults()).toEqual([])
    return world
  }

  test.each([
    [
      'swapped',
      `update audit_entries set month = 'x' where month = '2026-01';
       update audit_entries set month = '2026-01' where month = '2026-02';
       update audit_entries set month = '2026-02' where month = 'x';
       update audit_months set hash = (select hash from audit_entries where month = audit_months.month and number = 2)`,
      /^entry 1 /,
    ],
    [
      'removed in the middle',
      "delete from audit_entries where month = '2026-02'; delete from audit_months where month = '2026-02'",
      /^the months before were removed or changed$/,
    ],
    [
      'removed at the beginning, as retention does, but without its record',
      "delete from audit_entries where month = '2026-01'; delete from audit_months where month = '2026-01'",
      /^the months before were removed or changed$/,
    ],
    [
      'removed at the end',
      "delete from audit_entries where month = '2026-03'; delete from audit_months where month = '2026-03'",
      /^entry 1 is missing$/,
    ],
    [
      'cut, and closed anew',
      `delete from audit_entries where month = '2026-01' and number = 2;
       update audit_months set entries = 1, closed = 1, hash = (
         select hash from audit_entries where month = '2026-01' and number = 1
       ) where month = '2026-01'`,
      /^the months before were removed or changed$/,
    ],
  ])('the months of the audit log show it if one is %s', async (_what, statement, fault) => {
    const { exec, faults } = await setupMonths()
    await exec(statement)
    expect(await faults()).toContainEqual(expect.stringMatching(fault))
  })
})

describe.skipIf(!server)('the audit log of several processes on PostgreSQL', () => {
  test('the audit log of several processes on PostgreSQL is one chain, which shows if an entry is removed', async () => {
    const { url, query, drop } = await createTestDatabase(server!)
    onTestFinished(drop)
    const stores = await postgresStores({ url })
    onTestFinished(() => stores.close())
    const program = `
      import { accounts, audit } from '@fairlead/accounts'
      import { createFairlead } from '@fairlead/core'
      import { plainPasswords } from '@fairlead/testing'
      import { postgresStores } from '@fairlead/storage'
      const patient = { connectionTimeoutMs: 60_000, statementTimeoutMs: 60_000 }
      const stores = await postgresStores({ url: ${JSON.stringify(url)}, poolSize: 4, ...patient })
      const features = [accounts({ passwords: plainPasswords() }), audit()]
      const secretKeys = ${JSON.stringify(secretKeys)}
      const fairlead = createFairlead({ providers: [], features, stores, secretKeys })
      const create = (at) => fairlead.users.create({
        email: process.pid + '-' + at + '@example.com', name: 'A', password: 'a long password',
      })
      await Promise.all(Array.from({ length: 20 }, (_, at) => create(at)))
      await fairlead.core.close()
      process.stdout.write('done')
    `
    const args = ['--conditions=@fairlead/source', '--no-warnings', '--input-type=module', '--eval', program]
    const written = await Promise.all(
      Array.from({ length: 3 }, () => {
        const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] })
        return text(child.stdout)
      }),
    )
    expect(written).toEqual(Array(3).fill('done'))
    const months = await stores.read((view) => view.audit.months())
    expect(months.reduce((sum, { entries }) => sum + entries, 0)).toBe(60)
    expect(await faultsIn(stores)).toEqual([])
    await query('delete from audit_entries where number = 2')
    expect(await faultsIn(stores)).toContain('entry 2 is missing')
  })
})
