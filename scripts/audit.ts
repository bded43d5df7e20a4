// npm run audit: fails if the lock file has a version with a known vulnerability. The advisories come from GitHub, or from
// scripts/audit/advisories.json while GitHub cannot be reached.
// npm run audit -- --strict: fails also if GitHub cannot be reached.
// npm run audit -- --save: writes the advisories to that file.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { accepted } from './audit/accepted.ts'
import { type Advisories, fetchAdvisories, readSaved } from './audit/advisories.ts'
import { audit } from './audit/audit.ts'
import { readLocked } from './audit/locked-packages.ts'

const saved = 'scripts/audit/advisories.json'

const { values } = parseArgs({ options: { strict: { type: 'boolean' }, save: { type: 'boolean' } } })
const locked = readLocked(readFileSync('pnpm-lock.yaml', 'utf8'))
const fetched = await fetchOrExplain()
if (fetched && values.save) writeFileSync(saved, `${JSON.stringify(fetched, undefined, 2)}\n`)

const { lines, hasFailed } = audit({ locked, accepted, advisories: fetched ?? readSaved(saved), now: new Date() })
for (const line of lines) console.log(line)
if (hasFailed || (values.strict && !fetched)) process.exitCode = 1

async function fetchOrExplain(): Promise<Advisories | undefined> {
  const { GITHUB_API_URL: url = 'https://api.github.com', GITHUB_TOKEN: token } = process.env
  try {
    return await fetchAdvisories([...locked.keys()], { url, token })
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    console.log(`WARNING: no advisories from ${url}: ${reason}`)
    return undefined
  }
}
