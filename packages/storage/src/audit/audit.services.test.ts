import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { accounts, audit, createFairlead } from '@fairlead/core'
import { verifyAudit } from '@fairlead/core/adapter'
import { plainPasswords } from '@fairlead/core/fakes'
import type { Stores } from '@fairlead/core/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresStores } from '../postgres/postgres-stores.ts'
import { sqliteStores } from '../sqlite/sqlite-stores.ts'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const server = await findPostgres()

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
  const features = [accounts({ passwords: plainPasswords() }), audit()] as const
  const core = createFairlead({ providers: [], features, stores })
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await core.users.create({ email: `${name}@example.com`, name, password: 'a long password' })
  }
  return { file, faults: () => faultsIn(stores) }
}

async function faultsIn(stores: Stores): Promise<readonly string[]> {
  return (await verifyAudit(stores)).flatMap(({ fault }) => fault ?? [])
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
  ])('the audit log shows it if %s', async (_what, statement, fault) => {
    const { file, faults } = await setup()
    expect(await faults()).toEqual([])
    file.exec(statement)
    expect(await faults()).toEqual([expect.stringContaining(fault)])
  })
})

describe.skipIf(!server)('the audit log of several processes on PostgreSQL', () => {
  test('the audit log of several processes on PostgreSQL is one chain, which shows if an entry is removed', async () => {
    const { url, query, drop } = await createTestDatabase(server!)
    onTestFinished(drop)
    const stores = await postgresStores({ url })
    onTestFinished(() => stores.close())
    const program = `
      import { accounts, audit, createFairlead } from '@fairlead/core'
      import { plainPasswords } from '@fairlead/core/fakes'
      import { postgresStores } from '@fairlead/storage'
      const patient = { connectionTimeoutMs: 60_000, statementTimeoutMs: 60_000 }
      const stores = await postgresStores({ url: ${JSON.stringify(url)}, poolSize: 4, ...patient })
      const features = [accounts({ passwords: plainPasswords() }), audit()]
      const core = createFairlead({ providers: [], features, stores })
      const create = (at) => core.users.create({
        email: process.pid + '-' + at + '@example.com', name: 'A', password: 'a long password',
      })
      await Promise.all(Array.from({ length: 20 }, (_, at) => create(at)))
      await core.close()
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
