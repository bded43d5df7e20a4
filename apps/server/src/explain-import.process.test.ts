import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileCache } from './testing/run-main.ts'
import { folderWith } from './testing/write-files.ts'

const secret = 'sk-hush-4711'
const loader = join(import.meta.dirname, 'config-file.ts')
const program =
  `const { loadConfigFile } = await import(${JSON.stringify(loader)})\n` +
  'await loadConfigFile(undefined, process.cwd()).catch((error) => console.log(error.name, error.message))'

/** Node's own error for a file: a test's own loader would read it in another way. */
function refusal(name: string, text: string, others: Readonly<Record<string, string>> = {}): string {
  return load(name, text, others).stdout.trim()
}

function load(name: string, text: string, others: Readonly<Record<string, string>>) {
  const folder = folderWith({ [name]: text, ...others })
  return spawnSync(process.execPath, ['--conditions=@fairlead/source', '--input-type=module', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache },
  })
}

describe('explainImport', () => {
  test.each([
    [
      'TypeScript that does something',
      'fairlead.config.ts',
      `enum Place { Here }\nexport default { apiKey: '${secret}', place: Place.Here }`,
      'fairlead.config.ts uses TypeScript syntax that cannot be erased',
    ],
    [
      'invalid TypeScript',
      'fairlead.config.ts',
      `const apiKey: string = '${secret}' }`,
      'fairlead.config.ts is not valid TypeScript: Expression expected (line 1)',
    ],
    [
      'invalid JavaScript',
      'fairlead.config.mjs',
      `const apiKey = '${secret}' }`,
      "fairlead.config.mjs is not valid JavaScript: Unexpected token '}'",
    ],
    [
      'a package that is not there',
      'fairlead.config.mjs',
      `import { acme } from 'fairlead-provider-acme'\nexport default {}`,
      'fairlead.config.mjs imports fairlead-provider-acme, which is not installed there: run npm install fairlead-provider-acme',
    ],
    [
      'the service, which is not there',
      'fairlead.config.mjs',
      `import { defineConfig } from '@fairlead/server'\nexport default defineConfig({})`,
      'or export a plain object: defineConfig only adds types',
    ],
    [
      'a file that is not there',
      'fairlead.config.mjs',
      `import { keys } from './keys.mjs'\nexport default {}`,
      'fairlead.config.mjs imports a file that does not exist: ',
    ],
  ])('explainImport explains without quoting the module: %s', (_, name, text, said) => {
    const message = refusal(name, text)
    expect(message).toContain(`ConfigError ${said.startsWith('or') ? '' : said}`)
    expect(message).toContain(said)
    expect(message).not.toContain(secret)
  })

  test.each([`import { join } from 'node:path'\nexport default {}`, 'export default {}'])(
    'explainImport explains a module in a folder of CommonJS: %j',
    (text) => {
      const message = refusal('fairlead.config.ts', text, { 'package.json': '{ "type": "commonjs" }' })
      expect(message).toBe(
        'ConfigError fairlead.config.ts is loaded as CommonJS: set "type": "module" in the nearest package.json',
      )
    },
  )
})

describe('importModule', () => {
  test('importModule hides the warning of Node about a package.json without a type, and no other warning', () => {
    const text = `process.emitWarning('the vault is slow')\nexport default {}`
    const { stderr } = load('fairlead.config.ts', text, { 'package.json': '{}' })
    expect(stderr).toContain('Warning: the vault is slow')
    expect(stderr).not.toContain('MODULE_TYPELESS_PACKAGE_JSON')
  })
})
