import { satisfies, validRange } from 'semver'
import type { Acceptance } from './accepted.ts'
import type { Advisories, Advisory } from './advisories.ts'

const day = 86_400_000

interface Audited {
  readonly locked: ReadonlyMap<string, readonly string[]>
  readonly advisories: Advisories | undefined
  readonly accepted: readonly Acceptance[]
  readonly now: Date
}

/** Compares the versions of a lock file with advisories. Says which versions are vulnerable, and what was not compared. */
export function audit({ locked, advisories, accepted, now }: Audited): {
  lines: readonly string[]
  hasFailed: boolean
} {
  if (!advisories)
    return {
      lines: [
        'WARNING: NOTHING WAS AUDITED. With a network, "npm run audit -- --save" writes the advisories to a file.',
      ],
      hasFailed: false,
    }
  const unknown = [...locked.keys()].filter((name) => !advisories.packages.includes(name))
  const found = advisories.advisories.flatMap((advisory) =>
    (locked.get(advisory.package) ?? [])
      .filter((version) => isVulnerable(version, advisory))
      .map((version) => ({ advisory, version })),
  )
  const today = now.toISOString().slice(0, 10)
  const isAccepted = ({ id }: Advisory) => accepted.some((each) => each.id === id && today < each.until)
  const failures = found.filter(({ advisory }) => !isAccepted(advisory))
  const age = Math.floor((now.getTime() - Date.parse(advisories.fetchedAt)) / day)
  return {
    lines: [
      ...(age > 7 ? [`WARNING: the advisories are ${age} days old.`] : []),
      ...(unknown.length > 0 ? [`WARNING: NOT AUDITED, because they are newer: ${unknown.join(', ')}`] : []),
      ...failures.map(describeFailure),
      `audited ${locked.size - unknown.length} packages with advisories of ${advisories.fetchedAt.slice(0, 10)}: ` +
        `${failures.length} vulnerable, ${found.length - failures.length} accepted`,
    ],
    hasFailed: failures.length > 0,
  }
}

function isVulnerable(version: string, { vulnerable }: Advisory): boolean {
  const range = vulnerable.replaceAll(',', ' ')
  // Someone must look at a range that semver cannot read. A prerelease counts as its version.
  return validRange(range) === null || satisfies(version, range, { includePrerelease: true })
}

function describeFailure({ advisory, version }: { readonly advisory: Advisory; readonly version: string }): string {
  const { id, package: name, severity, summary, patched } = advisory
  const fix = patched ? `fixed in ${patched}` : 'not fixed yet'
  return `${name}@${version}: ${severity}: ${summary} (${id}, ${fix}). Update it, or accept it in scripts/audit/accepted.ts.`
}
