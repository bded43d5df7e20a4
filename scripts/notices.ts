// npm run notices -- [file, default: THIRD_PARTY_NOTICES.txt]: writes the licenses of everything that the service and
// its dashboard are made of, and of copied works, and fails for a license that is not on the list below.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Licensed {
  readonly name: string
  readonly versions: readonly string[]
  readonly paths: readonly string[]
  readonly license: string
  readonly homepage?: string
}

/** Licenses that allow what we do: publish packages that depend on them, and bundle some into the dashboard. */
const accepted = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'OFL-1.1',
  'MPL-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
])

const [file = 'THIRD_PARTY_NOTICES.txt'] = process.argv.slice(2)
const packages = listPackages()
const refused = packages.filter(({ license }) => !accepted.has(license))
for (const { name, license } of refused)
  console.log(`${name} has the license ${license}: look at it, and add it to scripts/notices.ts`)
if (refused.length > 0) process.exitCode = 1
else {
  const notices = [...packages.map(noticeOf), ...noticesOfCopies()]
  writeFileSync(file, notices.join(`\n${'-'.repeat(80)}\n\n`))
  console.log(`wrote the licenses of ${packages.length} packages to ${file}`)
}

function listPackages(): readonly Licensed[] {
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly packageManager: string }
  const filters = ['--filter', '@fairlead/server...', '--filter', '@fairlead/dashboard', '--filter', '.']
  const command = ['--yes', '--package', packageManager, 'pnpm', ...filters, 'licenses', 'list', '--prod', '--json']
  const output = execFileSync('npx', command, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const byLicense = JSON.parse(output) as Readonly<Record<string, readonly Licensed[]>>
  return Object.values(byLicense)
    .flat()
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function noticeOf({ name, versions, paths, license, homepage }: Licensed): string {
  const texts = paths.flatMap((path) =>
    globSync('{LICENSE,LICENCE,COPYING,NOTICE}*', { cwd: path }).map((found) =>
      readFileSync(join(path, found), 'utf8').trim(),
    ),
  )
  const head = [`${name} ${versions.join(', ')}`, `License: ${license}`, ...(homepage ? [homepage] : [])].join('\n')
  return `${[head, ...new Set(texts)].join('\n\n')}\n`
}

/** The licenses of others' work in the sources themselves, such as icons. */
function noticesOfCopies(): readonly string[] {
  const exclude = (name: string) => name === 'node_modules' || name === 'dist'
  return globSync('{apps,packages}/**/NOTICE*', { exclude }).map((found) => readFileSync(found, 'utf8'))
}
