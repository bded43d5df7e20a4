import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmEnvironment, tryCommand } from './run.ts'

const program = `import { createFairlead } from '@fairlead/core'
import { local } from '@fairlead/provider-local'
const fairlead = createFairlead({ providers: [local()] })
const { content } = await fairlead.generate({ model: 'mirror', prompt: 'Hello' })
if (content !== 'Hello') throw new Error(content)
await fairlead.core.close()
`

/** Installs packages from this clone into a program elsewhere, as docs/embedding.md says, and runs it. */
export function cloneFaults(): readonly string[] {
  const world = mkdtempSync(join(tmpdir(), 'fairlead-clone-'))
  try {
    const packages = join(world, 'fairlead-packages')
    const folder = join(world, 'my-program')
    mkdirSync(folder)
    writeFileSync(join(folder, 'main.mjs'), program)
    const pack = ['scripts/pack.ts', packages, '@fairlead/core', '@fairlead/provider-local']
    const install = () => ['install', '--no-audit', '--no-fund', '--prefer-offline', ...globSync(`${packages}/*.tgz`)]
    const fault =
      tryCommand(process.execPath, pack, '.') ??
      tryCommand('npm', install(), folder, npmEnvironment) ??
      tryCommand(process.execPath, ['main.mjs'], folder)
    return fault === undefined ? [] : [fault]
  } finally {
    rmSync(world, { recursive: true })
  }
}
