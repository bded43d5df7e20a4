import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

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
    await fairlead.start()
    const { content } = await fairlead.generate({ model: 'scribe', prompt: 'haiku about rain', seed: 1 })
    const { id } = await fairlead.generateImage({ model: 'vista', prompt: 'a lake', size: '256x256' })
    const { sentiment } = await fairlead.analyze({ text: 'What a lovely day!', tasks: ['sentiment'] })
    console.log(content.split('\\n').length, (await fairlead.openImage(id)).byteLength > 1000, sentiment.label)
    ${ending}`
  const ends = { timeout: 300_000 }
  const source = ['--conditions=@fairlead/source', '--input-type=module', '--eval']

  test('a process that uses the embedded provider ends by itself once it has closed', async () => {
    const { stdout } = await run(process.execPath, [...source, program(faces, 'await fairlead.close()')], ends)
    expect(stdout).toBe('3 true positive\n')
  })

  test('a process that uses the embedded provider is not kept alive by idle threads', async () => {
    const { stdout } = await run(process.execPath, [...source, program(faces, '')], ends)
    expect(stdout).toBe('3 true positive\n')
  })

  test('a process that uses the embedded provider may use what the compiler wrote', async () => {
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'packages/providers/local'], { cwd: root })
    const compiled = {
      core: new URL('packages/core/dist/index.js', root).href,
      provider: new URL('packages/providers/local/dist/index.js', root).href,
    }
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '--eval', program(compiled, 'await fairlead.close()')],
      ends,
    )
    expect(stdout).toBe('3 true positive\n')
  })
})
