import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readLocked } from '../audit/locked-packages.ts'
import { readPublished } from './reserve.ts'

interface Sbom {
  readonly bomFormat: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
}

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
}

describe('npm run release -- sbom', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  execFileSync(process.execPath, ['scripts/release.ts', 'sbom', folder], { stdio: 'ignore' })
  const sboms = new Map(
    readdirSync(folder).map((file) => {
      const sbom = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Sbom
      return [readName(sbom.metadata.component), sbom]
    }),
  )

  test('every published package has a CycloneDX document', () => {
    expect([...sboms.keys()].toSorted()).toEqual(
      readPublished()
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(new Set([...sboms.values()].map(({ bomFormat }) => bomFormat))).toEqual(new Set(['CycloneDX']))
  })

  test('the service has its packages in the versions of the lock file, and no tools of development', () => {
    const components = sboms.get('fairlead')?.components ?? []
    const locked = readLocked(readFileSync('pnpm-lock.yaml', 'utf8'))
    const others = components.filter(({ group }) => group !== '@fairlead')

    expect(others.filter((each) => !locked.get(readName(each))?.includes(each.version))).toEqual([])
    expect(components.map(readName)).toEqual(expect.arrayContaining(['zod', 'undici', '@fairlead/server']))
    expect(components.map(readName)).not.toContain('vitest')
  })
})

function readName({ group, name }: Component): string {
  return group ? `${group}/${name}` : name
}
