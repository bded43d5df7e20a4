import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file for each condition. */
type Files = Readonly<Record<string, string>>

/** The file for each condition, or the files for each platform. */
type Target = Readonly<Record<string, string | Files>>

/** By subpath. */
type Exports = Readonly<Record<string, string | Target>>

/** The fields of a package.json that the checks read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly homepage?: string
  readonly bugs?: unknown
  readonly license?: string
  readonly author?: string
  readonly repository?: { readonly url: string; readonly directory: string }
  readonly engines?: Readonly<Record<string, string>>
  readonly sideEffects?: boolean
  readonly exports: Exports
  readonly imports?: Readonly<Record<string, Target>>
  /** Of a package in this repository; the packed one has these as its `exports`. */
  readonly publishConfig: { readonly exports: Exports }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

const required = [
  'description',
  'keywords',
  'homepage',
  'bugs',
  'license',
  'author',
  'repository',
  'engines',
  'sideEffects',
] as const satisfies readonly (keyof Manifest)[]

/** The faults of a published package.json, as sentences. */
export function findFaults(manifest: Manifest): readonly string[] {
  const { exports, imports = {}, dependencies = {}, peerDependencies = {} } = manifest
  return [
    ...required.filter((field) => manifest[field] === undefined).map((field) => `${field} is missing`),
    ...Object.entries({ ...dependencies, ...peerDependencies })
      .filter(([, range]) => !/^(\^|~|>=)/.test(range))
      .map(([name, range]) => `${name} must be a range, but is ${range}`),
    ...Object.entries(exports)
      .filter(([, target]) => typeof target === 'object' && Object.keys(target)[0] !== 'types')
      .map(([subpath]) => `the types of ${subpath} must be its first condition`),
    ...(exports['./package.json'] === './package.json' ? [] : ['./package.json is not exported']),
    ...(JSON.stringify([exports, imports]).includes('@fairlead/source')
      ? ['the condition @fairlead/source is published']
      : []),
  ]
}
