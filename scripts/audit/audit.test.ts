import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accepted } from './accepted.ts'
import type { Advisory } from './advisories.ts'
import { audit } from './audit.ts'
import { readLocked } from './locked-packages.ts'

const now = new Date('2026-11-29T12:00:00Z')

const advisory: Advisory = {
  id: 'GHSA-1111-2222-3333',
  package: 'parcel',
  vulnerable: '>= 2.0.0, < 2.4.1',
  patched: '2.4.1',
  severity: 'high',
  summary: 'Parcels can be opened',
}

describe('the audit', () => {
  test.each([
    ['1.9.9', 0],
    ['2.0.0', 1],
    ['2.4.0', 1],
    ['2.4.1-beta.1', 1],
    ['2.4.1', 0],
    ['10.0.0', 0],
  ])('version %s has %i known vulnerabilities in the range ">= 2.0.0, < 2.4.1"', (version, count) => {
    const { lines, hasFailed } = auditOne({ version })

    expect(lines.at(-1)).toContain(`${count} vulnerable`)
    expect(hasFailed).toBe(count > 0)
  })

  test('a range that semver cannot read fails every version', () => {
    const advisories = {
      fetchedAt: now.toISOString(),
      packages: ['parcel'],
      advisories: [{ ...advisory, vulnerable: '< 2.4.1.7' }],
    }

    expect(audit({ locked: new Map([['parcel', ['9.0.0']]]), advisories, accepted: [], now }).hasFailed).toBe(true)
  })

  test('a failure names the version, the advisory, and the fix', () => {
    expect(auditOne({ version: '2.4.0' }).lines).toEqual([
      'parcel@2.4.0: high: Parcels can be opened (GHSA-1111-2222-3333, fixed in 2.4.1). ' +
        'Update it, or accept it in scripts/audit/accepted.ts.',
      'audited 1 packages with advisories of 2026-11-28: 1 vulnerable, 0 accepted',
    ])
  })

  test.each([
    ['2026-11-30', false],
    ['2026-11-29', true],
  ])('a vulnerability that is accepted until %s fails today: %s', (until, fails) => {
    const acceptance = { id: advisory.id, reason: 'opened in tests only', until }

    expect(auditOne({ version: '2.4.0', accepted: [acceptance] }).hasFailed).toBe(fails)
  })

  test('old advisories, and packages that they do not cover, are warnings', () => {
    const { lines, hasFailed } = auditOne({ version: '3.0.0', fetchedAt: '2026-11-01T00:00:00Z', packages: [] })

    expect(lines).toEqual([
      'WARNING: the advisories are 28 days old.',
      'WARNING: NOT AUDITED, because they are newer: parcel',
      'audited 0 packages with advisories of 2026-11-01: 0 vulnerable, 0 accepted',
    ])
    expect(hasFailed).toBe(false)
  })

  test('an audit without advisories says that nothing was audited', () => {
    const { lines } = audit({ locked: new Map(), advisories: undefined, accepted: [], now })

    expect(lines).toEqual([expect.stringContaining('WARNING: NOTHING WAS AUDITED')])
  })

  test('an acceptance has a reason and a day', () => {
    for (const { id, reason, until } of accepted) {
      expect(id).toMatch(/^GHSA(-\w{4}){3}$/)
      expect(reason.length).toBeGreaterThan(10)
      expect(until).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
  })
})

describe('readLocked', () => {
  test('readLocked lists every version of a package, and omits packages that no registry has', () => {
    const lockFile = `packages:
  '@scope/parcel@1.0.0': {}
  parcel@2.4.0: {}
  parcel@3.0.0-rc.1: {}
  local@file:../local: {}
`

    expect([...readLocked(lockFile)]).toEqual([
      ['@scope/parcel', ['1.0.0']],
      ['parcel', ['2.4.0', '3.0.0-rc.1']],
    ])
  })

  test('the lock file of this repository has more than 500 packages', () => {
    const locked = readLocked(readFileSync('pnpm-lock.yaml', 'utf8'))

    expect(locked.size).toBeGreaterThan(500)
    expect(locked.get('semver')).toContainEqual(expect.stringMatching(/^7\./))
  })
})

function auditOne({
  version = '',
  accepted: acceptances = [],
  fetchedAt = '2026-11-28T06:00:00Z',
  packages = ['parcel'],
}: {
  readonly version?: string
  readonly accepted?: Parameters<typeof audit>[0]['accepted']
  readonly fetchedAt?: string
  readonly packages?: readonly string[]
}) {
  const advisories = { fetchedAt, packages, advisories: [advisory] }
  return audit({ locked: new Map([['parcel', [version]]]), advisories, accepted: acceptances, now })
}
