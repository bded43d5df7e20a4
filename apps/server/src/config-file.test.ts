import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfigFile } from './config-file.ts'
import { folderWith } from './testing/write-files.ts'

const secret = 'sk-hush-4711'

/** The error message for a file that can't be used. */
async function refusal(files: Readonly<Record<string, string>>, named?: string): Promise<string> {
  const failure = await loadConfigFile(named, folderWith(files)).then(
    () => new Error('nothing'),
    (error: Error) => error,
  )
  expect(failure.name).toBe('ConfigError')
  return failure.message
}

describe('the configuration file', () => {
  test('the configuration file is optional', async () => {
    expect(await loadConfigFile(undefined, folderWith({ 'config.ts': 'export default 1' }))).toBe(undefined)
  })

  test.each([
    ['fairlead.config.js', "export default { providers: ['local'] }"],
    ['fairlead.config.mjs', "export default { providers: ['local'] }"],
    ['fairlead.config.json', '{ "providers": ["local"] }'],
    ['fairlead.config.json', '\uFEFF{ "providers": ["local"] }'],
    ['fairlead.config.ts', "type Names = readonly string[]\nexport default { providers: ['local'] as Names }"],
  ])('the configuration file is found under its usual name: %s', async (name, text) => {
    const folder = folderWith({ [name]: text })
    expect(await loadConfigFile(undefined, folder)).toEqual({
      path: join(folder, name),
      name,
      config: { providers: ['local'] },
    })
  })

  test('the configuration file can have another name, and then the default one is not read', async () => {
    const files = { 'fairlead.config.json': '{', 'etc/mine.json': '{}' }
    expect(await loadConfigFile('etc/mine.json', folderWith(files))).toMatchObject({ name: 'mine.json', config: {} })
  })
})

describe('an invalid configuration file', () => {
  test('an invalid configuration file is reported when it does not exist', async () => {
    expect(await refusal({}, 'mine.json')).toMatch(/^FAIRLEAD_CONFIG names .*mine\.json, which does not exist$/)
  })

  test('an invalid configuration file is reported when two files have default names', async () => {
    expect(await refusal({ 'fairlead.config.js': '', 'fairlead.config.json': '{}' })).toBe(
      'There are both fairlead.config.js and fairlead.config.json: remove one, or name one in FAIRLEAD_CONFIG',
    )
  })

  test('an invalid configuration file is reported when its extension is not supported', async () => {
    expect(await refusal({ 'mine.yaml': '' }, 'mine.yaml')).toMatch(
      /whose name must end in one of \.ts, \.js, \.mjs, \.json$/,
    )
  })

  test.each([
    [`{\n  "providers": [{ "use": "openai", "apiKey": "${secret}" }\n}`, ': comma expected at line 3 column 1'],
    [`{\n  "providers": ["${secret}",]\n}`, ': value expected at line 2 column 32'],
    [`{ "apiKey": ${secret} }`, ': invalid symbol at line 1 column 13'],
    ['{} // mine', ': invalid comment token at line 1 column 4'],
    ['', ': value expected at line 1 column 1'],
  ])('an invalid configuration file is not valid JSON, and its text is not repeated: %s', async (text, source) => {
    const said = await refusal({ 'fairlead.config.json': text })
    expect(said).toBe(`fairlead.config.json is not valid JSON${source}`)
  })

  test('an invalid configuration file is reported without a default export', async () => {
    expect(await refusal({ 'fairlead.config.mjs': 'export const config = {}' })).toBe(
      'fairlead.config.mjs must export its settings as the default: export default defineConfig({ … })',
    )
  })

  test.each([
    ['null', 'must export an object with settings'],
    ['[]', 'must export an object with settings'],
    ['{ "providers": [] }', 'providers must hold at least one'],
    ['{ "providers": "local" }', 'providers must be an array'],
    ['{ "providers": ["local", 7] }', 'providers[1] must be the name of a provider'],
    ['{ "provider": ["local"] }', 'provider is not a known field; did you mean providers?'],
    [
      '{ "routes": { "smart": ["local/scribe"] } }',
      'routes.smart must be an object, such as { targets: ["provider/model"] }',
    ],
    ['{ "routes": { "smart": { "targets": [] } } }', 'routes.smart.targets must have at least one target'],
    [
      '{ "routes": { "smart": { "targets": ["local/scribe", "x"] } } }',
      'routes.smart.targets[1] must have the form "provider/model"',
    ],
    [
      '{ "routes": { "smart": { "target": [] } } }',
      'routes.smart.target is not a known field; did you mean routes.smart.targets?',
    ],
    ['{ "timeouts": { "totalMs": 0 } }', 'timeouts.totalMs must be at least 1'],
    ['{ "color": 1 }', 'color is not a known field'],
    ['{ "observer": "log" }', 'observer must be an object with methods'],
    ['{ "cache": { "maxBytes": "64 MB" } }', 'cache.maxBytes must be a number'],
    ['{ "cache": { "maxBytes": 1 } }', 'cache.maxBytes must be at least 1048576'],
    ['{ "cache": { "ttl": 1 } }', 'cache.ttl is not a known field'],
  ])('an invalid configuration file is reported with the field and a fix: %s', async (text, said) => {
    const message = await refusal({ 'fairlead.config.json': text })
    expect(message).toContain(said)
    expect(message).toMatch(/^fairlead\.config\.json:? /)
  })

  test('an invalid configuration file is reported with all of its invalid fields', async () => {
    expect((await refusal({ 'fairlead.config.json': '{ "providers": [], "color": 1 }' })).split('\n')).toHaveLength(2)
  })

  test('an invalid configuration file is reported when it throws', async () => {
    expect(await refusal({ 'fairlead.config.mjs': "throw new Error('no vault')" })).toBe(
      'fairlead.config.mjs failed: no vault',
    )
  })
})
