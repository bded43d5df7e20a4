import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs npm with these arguments, and returns whether it succeeded. */
type Npm = (...args: string[]) => boolean

/** The fields of a manifest that an empty version has, too. */
interface Manifest {
  readonly name: string
  readonly description: string
  readonly license: string
  readonly repository: { readonly url: string }
}

/**
 * npm lets a workflow publish only packages that exist. So each name that npm does not know gets an empty version 0.0.0. Then
 * release.yml becomes the trusted publisher of all, and no token may publish them.
 */
export function reserve(npm: Npm = callNpm): void {
  const packages = readPublished()
  for (const manifest of packages)
    if (!npm('view', manifest.name, 'name') && !publishEmpty(manifest, npm))
      throw new Error(`npm did not publish ${manifest.name}@0.0.0`)

  const publisher = ['--file', 'release.yml', '--env', 'npm', '--allow-publish', '--yes']
  const failed = packages.filter(({ name, repository }) => {
    const trusts = npm('trust', 'github', name, '--repo', readRepository(repository.url), ...publisher)
    return !npm('access', 'set', 'mfa=publish', name) || !trusts
  })
  if (failed.length > 0)
    throw new Error(`compare "npm trust list" of ${failed.map(({ name }) => name).join(', ')} with release.yml`)
}

export function readPublished(): readonly Manifest[] {
  return globSync('{apps,packages,packages/providers}/*/package.json')
    .toSorted()
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest & { readonly private?: boolean })
    .filter((manifest) => !manifest.private)
}

function publishEmpty({ name, description, license, repository }: Manifest, npm: Npm): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'reserve-'))
  try {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name, version: '0.0.0', description, license, repository }),
    )
    writeFileSync(join(folder, 'README.md'), `The first version of ${name} will be published soon.\n`)
    return npm('publish', folder, '--access', 'public')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readRepository(url: string): string {
  const [, repository] = /github\.com\/(.+)\.git$/.exec(url) ?? []
  if (!repository) throw new Error(`${url} is no repository of GitHub`)
  return repository
}

function callNpm(...args: string[]): boolean {
  // npm asks for a second factor on the terminal, and limits how often trust is changed.
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  if (args[0] === 'trust') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  return status === 0
}
