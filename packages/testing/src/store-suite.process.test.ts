import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accounts } from '@fairlead/accounts'
import type { Feature } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import { testClock } from './fakes/test-clock.ts'
import { expect, onTestFinished, test } from 'vitest'
import { storeSuite } from './store-suite.ts'

/** Stores in memory that do not remove the shipments of a user. */
const program = `
import { accounts } from '@fairlead/accounts'
import { shipments } from '@fairlead/shipments'
import { testStores } from '@fairlead/testing'
import { storeSuite } from '@fairlead/testing/suites'

async function open(clock) {
  const stores = testStores({ clock })
  const broken = { removeAllOf: async () => {} }
  const transact = (work) => stores.transact((tx) => work({ ...tx, shipments: { ...tx.shipments, ...broken } }))
  return { ...stores, transact }
}

storeSuite('listed', open, { features: [accounts(), shipments()] })
storeSuite('unlisted', open, { features: [accounts()] })
`

const config = `
import config from '../../../vitest.config.ts'
export default { ...config, test: { include: ['broken-stores.ts'] } }
`

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

test('the store suite fails for a broken store of a listed feature, and only for that', () => {
  const root = mkdtempSync(join(import.meta.dirname, '../.try-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'broken-stores.ts'), program)
  writeFileSync(join(root, 'vitest.config.ts'), config)
  const vitest = join(root, '../node_modules/vitest/vitest.mjs')
  spawnSync(process.execPath, [vitest, 'run', '--reporter=json', '--outputFile=report.json'], { cwd: root })
  const { testResults } = JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status !== 'passed')
  expect(failed.map(({ fullName }) => fullName)).toEqual([
    'listed stores shipments shipments of one owner are removed together',
  ])
  expect(results.some(({ fullName }) => fullName.startsWith('unlisted stores users'))).toBe(true)
})

type Open<Features extends readonly Feature[]> = Parameters<typeof storeSuite<Features>>[1]
type OfShipments = readonly [ReturnType<typeof shipments>]

test('the store suite takes stores that have only what the features need', async () => {
  const ofGateway: Open<readonly []> = async (clock) => memoryStores({ clock, features: [] })
  const opens: readonly Open<OfShipments>[] = [
    async (clock) => memoryStores({ clock, features: [shipments()] }),
    // @ts-expect-error -- stores without the table `shipments`
    ofGateway,
    // @ts-expect-error -- stores without the table `shipments`
    async (clock) => memoryStores({ clock, features: [accounts(), webhooks()] }),
  ]
  const have = opens.map(async (open) => (await open(testClock())).transact(async (tx) => 'shipments' in tx))
  expect(await Promise.all(have)).toEqual([true, false, false])
})
