import type { OperationRun } from '@fairlead/core'
import type { SessionRow } from '../account-stores.ts'

const maxLength = 100

/** Where a session begins: what its user recognizes it by. */
export function readOrigin({ options }: Pick<OperationRun, 'options'>): Pick<SessionRow, 'userAgent' | 'address'> {
  const { address = 'unknown', userAgent } = options
  return {
    userAgent: userAgent === undefined ? null : describeUserAgent(userAgent),
    address: address === 'unknown' ? null : address,
  }
}

/** In this order, because each names those after it, too. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Returns such as `Firefox on Linux`, or the start of a header of another program. Null if nothing is left of it. */
export function describeUserAgent(header: string): string | null {
  const nameIn = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => header.includes(mark))?.[1]
  const browser = header.startsWith('Mozilla/') ? nameIn(browsers) : undefined
  const system = nameIn(systems)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  const text = header
    .slice(0, maxLength)
    .replaceAll(/[^ -~]+/g, ' ')
    .trim()
  return text === '' ? null : text
}
