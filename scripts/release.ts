// npm run release -- version: gives all packages the next version, writes their changelogs, and what depends on both.
// npm run release -- publish: publishes every package whose version npm does not have yet, and tags the commit.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly packageManager: string }
const changesets = 'node node_modules/@changesets/cli/bin.js'

const steps: Readonly<Record<string, readonly string[]>> = {
  version: [`${changesets} version`, 'pnpm install --lockfile-only', 'node scripts/generate.ts'],
  publish: ['node scripts/build-packages.ts', `${changesets} publish`],
}

const [wanted = ''] = process.argv.slice(2)
if (!steps[wanted]) console.log('npm run release -- version|publish')
const isDone = steps[wanted]?.every((step) => {
  // Changesets calls pnpm, which is nowhere installed for good.
  const { status } = spawnSync('npx', ['--yes', '--package', packageManager, '--call', step], { stdio: 'inherit' })
  return status === 0
})
if (!isDone) process.exitCode = 1
