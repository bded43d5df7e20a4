// npm run release -- version: gives all packages the next version, moves the changesets to CHANGELOG.md, and writes what
// depends on both.
// npm run release -- plan: prints the version, and the next step as `mode`: "version" while there are changesets, "publish"
// while npm lacks a package of this version, otherwise "none".
// npm run release -- notes: prints the section of this version in CHANGELOG.md.
// npm run release -- publish: publishes every package whose version npm does not have yet.
// npm run release -- sbom [folder]: writes a software bill of materials of each published package, as CycloneDX: all packages
// of the lock file that it may load.
// npm run release -- reserve: publishes an empty version of each package that npm does not know, and lets release.yml publish
// the next ones.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addSection, findSection, readChangesets } from './release/changelog.ts'
import { readPublished, reserve } from './release/reserve.ts'

const changesets = 'node node_modules/@changesets/cli/bin.js'

const commands: Readonly<Record<string, (...args: string[]) => void>> = {
  version() {
    const pending = readChangesets('.changeset')
    run(`${changesets} version`)
    writeFileSync('CHANGELOG.md', addSection(readFileSync('CHANGELOG.md', 'utf8'), readVersion(), pending))
    run('node node_modules/oxfmt/bin/oxfmt CHANGELOG.md')
    run('pnpm install --lockfile-only')
    run('node scripts/generate.ts')
  },
  plan() {
    const isPending = readChangesets('.changeset').length > 0
    const mode = isPending ? 'version' : isPublished() ? 'none' : 'publish'
    console.log(`mode=${mode}\nversion=${readVersion()}`)
  },
  notes() {
    console.log(findSection(readFileSync('CHANGELOG.md', 'utf8'), readVersion()))
  },
  publish() {
    if (readChangesets('.changeset').length > 0) throw new Error('.changeset has changes that CHANGELOG.md lacks')
    run('node scripts/build-packages.ts')
    run(`${changesets} publish --no-git-tag`)
  },
  sbom(folder = 'sbom') {
    const filters = readPublished().map(({ name }) => `--filter ${name}`)
    const options = '--sbom-format cyclonedx --prod --lockfile-only --split'
    run(`pnpm ${filters.join(' ')} sbom ${options} --out "${folder}/%s-%v.cdx.json"`)
  },
  reserve: () => reserve(),
}

const [command = '', ...args] = process.argv.slice(2)
if (commands[command]) commands[command](...args)
else {
  console.log(`npm run release -- ${Object.keys(commands).join('|')}`)
  process.exitCode = 1
}

/** Runs a command beside which there is pnpm, which is nowhere installed for good. Its output goes to standard error. */
function run(line: string): void {
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly packageManager: string }
  const { status } = spawnSync('npx', ['--yes', '--package', packageManager, '--call', line], {
    stdio: ['inherit', 2, 'inherit'],
  })
  if (status !== 0) throw new Error(`failed: ${line}`)
}

function isPublished(): boolean {
  const file = join(mkdtempSync(join(tmpdir(), 'publish-plan-')), 'plan.json')
  run(`${changesets} publish-plan --output "${file}"`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly plan: readonly unknown[] }).plan.length === 0
}

function readVersion(): string {
  return (JSON.parse(readFileSync('packages/core/package.json', 'utf8')) as { readonly version: string }).version
}
