import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPublished, reserve } from './reserve.ts'

const names = readPublished().map(({ name }) => name)

describe('reserve', () => {
  test('publishes an empty version of each name that npm does not know, and trusts release.yml for all', () => {
    const { npm, calls, published } = recordingNpm((command, name) => command !== 'view' || name === 'fairlead')

    reserve(npm)

    expect(published).toEqual(names.filter((name) => name !== 'fairlead').map((name) => ({ name, version: '0.0.0' })))
    for (const name of names) {
      expect(calls).toContain(
        `trust github ${name} --repo fairlead/fairlead --file release.yml --env npm --allow-publish --yes`,
      )
      expect(calls).toContain(`access set mfa=publish ${name}`)
    }
  })

  test('publishes nothing more after npm rejected a package', () => {
    const { npm, published } = recordingNpm(() => false)

    expect(() => reserve(npm)).toThrow(`npm did not publish ${names[0]}@0.0.0`)
    expect(published).toEqual([{ name: names[0], version: '0.0.0' }])
  })

  test('names the packages whose publisher npm did not accept, and goes on with the others', () => {
    const { npm, calls } = recordingNpm((command, _, name) => command !== 'trust' || name !== '@fairlead/core')

    expect(() => reserve(npm)).toThrow('compare "npm trust list" of @fairlead/core with release.yml')
    expect(calls.filter((call) => call.startsWith('trust'))).toHaveLength(names.length)
  })
})

/** An npm that notes its calls and the packages that it is to publish. */
function recordingNpm(succeeds: (...args: string[]) => boolean) {
  const calls: string[] = []
  const published: unknown[] = []
  const npm = (...args: string[]) => {
    calls.push(args.join(' '))
    if (args[0] === 'publish') published.push(readNameAndVersion(args[1] ?? ''))
    return succeeds(...args)
  }
  return { npm, calls, published }
}

function readNameAndVersion(folder: string) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<Record<string, string>>
  return { name: manifest['name'], version: manifest['version'] }
}
