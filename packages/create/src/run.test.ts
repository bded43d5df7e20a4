import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { create, type Surroundings } from './run.ts'

const manifest = {
  name: 'sample',
  dependencies: { '@fairlead/core': '^0.0.1', zod: '^4.0.0' },
  devDependencies: { '@fairlead/provider-local': '^0.0.1' },
}

describe('npm create', () => {
  test('npm create writes the files of the template under the name, with packages of the version of the command', async () => {
    const { run, read } = world()
    expect(await run('my-app')).toContain('cd my-app\n  npm install\n  npm test')
    expect(JSON.parse(read('my-app/package.json'))).toEqual({
      name: 'my-app',
      dependencies: { '@fairlead/core': '^1.2.3', zod: '^4.0.0' },
      devDependencies: { '@fairlead/provider-local': '^1.2.3' },
    })
    expect(read('my-app/src/my-app.ts')).toBe("export const id = 'my-app'\n")
    expect(read('my-app/.gitignore')).toBe('node_modules/\n')
  })

  test('npm create removes the marks of the tests from code blocks', async () => {
    const { run, read } = world({ 'template/README.md': '```sh norun\nnpm test\n```\n' })
    await run('my-app')
    expect(read('my-app/README.md')).toBe('```sh\nnpm test\n```\n')
  })

  test('npm create leaves out what an installation wrote into the template', async () => {
    const { run, folder } = world({ 'template/node_modules/zod/index.js': '', 'template/dist/sample.js': '' })
    await run('my-app')
    expect([existsSync(join(folder, 'my-app/node_modules')), existsSync(join(folder, 'my-app/dist'))]).toEqual([
      false,
      false,
    ])
  })

  test('npm create asks for the name on a terminal', async () => {
    const { run, read, stdin } = world()
    Object.assign(stdin, { isTTY: true }).write('my-app\n')
    expect(await run()).toMatch(/^Name \(such as my-app\): Created my-app\./)
    expect(read('my-app/src/my-app.ts')).toContain('my-app')
  })

  test('npm create fails without a name if there is no terminal', async () => {
    await expect(world().run()).rejects.toThrow(/^Give the project a name: npm create fairlead-sample my-app$/)
  })

  test('npm create fails without a name if the user closes the question', async () => {
    const { run, stdin } = world()
    Object.assign(stdin, { isTTY: true }).end()
    await expect(run()).rejects.toThrow('Give the project a name')
  })

  test.for(['my-app/notes.txt', 'my-app'])('npm create leaves %s as it is', async (path) => {
    const { run, read } = world({ [path]: 'mine' })
    await expect(run('my-app')).rejects.toThrow(
      'my-app exists already, and is not an empty folder. Choose another name',
    )
    expect(read(path)).toBe('mine')
  })

  test('npm create uses an empty folder', async () => {
    const { run, folder, read } = world()
    mkdirSync(join(folder, 'my-app'))
    await run('my-app')
    expect(read('my-app/src/my-app.ts')).toContain('my-app')
  })

  test.for(['My-App', '../my-app', '.', '1st', 'a--b', 'my_app'])('npm create rejects the name %s', async (name) => {
    await expect(world().run(name)).rejects.toThrow(`start with a letter, but is "${name}"`)
  })

  test('npm create rejects a name that another file of the project has', async () => {
    const { run, folder } = world({ 'template/src/index.ts': '' })
    await expect(run('index')).rejects.toThrow('The project has another file called index. Choose another name.')
    expect(existsSync(join(folder, 'index'))).toBe(false)
  })

  test('npm create names an option that it does not have', async () => {
    await expect(world().run('my-app', '--typescript')).rejects.toThrow(
      'Unknown option --typescript. Usage: npm create fairlead-sample my-app',
    )
  })
})

/** A folder with a template, and a function that runs its command in this folder and returns its output. */
function world(more: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-create-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = {
    'package.json': JSON.stringify({ version: '1.2.3' }),
    'template/_package.json': JSON.stringify(manifest, null, 2),
    'template/_gitignore': 'node_modules/\n',
    'template/src/sample.ts': "export const id = 'sample'\n",
    ...more,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const template = {
    command: 'fairlead-sample',
    summary: 'a sample',
    example: 'my-app',
    folder: pathToFileURL(`${folder}/`),
    packageName: (name: string) => name,
    rename: (text: string, name: string) => text.replaceAll('sample', name),
    nextSteps: ['src/sample.ts is yours.'],
  }
  const stdin = new PassThrough()
  return {
    folder,
    stdin,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    async run(...args: readonly string[]) {
      let output = ''
      const stdout = new PassThrough().on('data', (text) => void (output += text))
      await create(template, args, { stdin, stdout, cwd: () => folder } as unknown as Surroundings)
      return output
    },
  }
}
