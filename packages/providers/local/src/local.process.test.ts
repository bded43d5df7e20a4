import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'

describe('a process that uses it', () => {
  const run = promisify(execFile)
  const root = new URL('../../../../', import.meta.url)
  const faces = {
    core: new URL('packages/core/src/index.ts', root).href,
    provider: new URL('index.ts', import.meta.url).href,
  }
  const program = ({ core, provider }: typeof faces, ending: string) => `
    const { createFairlead } = await import('${core}')
    const { local } = await import('${provider}')
    const fairlead = createFairlead({ providers: [local({ images: { workers: 1 }, analysis: { workers: 1 } })] })
    await fairlead.core.start()
    const { content } = await fairlead.generate({ model: 'scribe', prompt: 'haiku about rain', seed: 1 })
    const { id } = await fairlead.generateImage({ model: 'vista', prompt: 'a lake', size: '256x256' })
    const { sentiment } = await fairlead.analyze({ text: 'What a lovely day!', tasks: ['sentiment'] })
    console.log(content.split('\\n').length, (await fairlead.core.openImage(id)).byteLength > 1000, sentiment.label)
    ${ending}`
  const ends = { timeout: 300_000 }
  const source = ['--conditions=@fairlead/source', '--input-type=module', '--eval']

  const compile = () => {
    const projects = ['packages/providers/local', 'packages/providers/local-images']
    return run(process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...projects], { cwd: root })
  }

  test('a process that uses the embedded provider ends by itself once it has closed', async () => {
    const { stdout } = await run(process.execPath, [...source, program(faces, 'await fairlead.core.close()')], ends)
    expect(stdout).toBe('3 true positive\n')
  })

  test('a process that uses the embedded provider is not kept alive by idle threads', async () => {
    const { stdout } = await run(process.execPath, [...source, program(faces, '')], ends)
    expect(stdout).toBe('3 true positive\n')
  })

  test('a process that uses the embedded provider may use what the compiler wrote', async () => {
    await compile()
    const compiled = {
      core: new URL('packages/core/dist/index.js', root).href,
      provider: new URL('packages/providers/local/dist/index.js', root).href,
    }
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '--eval', program(compiled, 'await fairlead.core.close()')],
      ends,
    )
    expect(stdout).toBe('3 true positive\n')
  })

  test('a process that installed no images has the other models, and is told that vista does not exist', async () => {
    await compile()
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-without-images-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await installAlone(folder)
    await writeFile(
      join(folder, 'main.mjs'),
      `import { createFairlead } from '@fairlead/core'
      import { local } from '@fairlead/provider-local'
      const fairlead = createFairlead({ providers: [local()] })
      const models = (await fairlead.models.list()).map(({ id }) => id)
      const painted = fairlead.generateImage({ model: 'vista', prompt: 'a lake' })
      const { issues } = await painted.catch((error) => error)
      console.log(...models, JSON.stringify(issues))
      await fairlead.core.close()`,
    )
    const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: folder, ...ends })
    expect(stdout).toBe(
      'scribe mirror lexis [{"field":"model","issue":"unknown model \\"vista\\"; models of type image: none"}]\n',
    )
  })
})

/** A copy of the compiled package, with links to what it depends on. */
async function installAlone(folder: string): Promise<void> {
  const source = fileURLToPath(new URL('..', import.meta.url))
  const copy = join(folder, 'node_modules/@fairlead/provider-local')
  for (const path of ['package.json', 'dist', 'tokens']) {
    await cp(join(source, path), join(copy, path), { recursive: true })
  }
  const { dependencies } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  for (const name of ['@fairlead/core', ...Object.keys(dependencies)]) {
    await symlink(await realpath(join(source, 'node_modules', name)), join(folder, 'node_modules', name))
  }
}
