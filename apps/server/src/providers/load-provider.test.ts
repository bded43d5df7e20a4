import { join } from 'node:path'
import type { ProviderEntry } from '../define-config.ts'
import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../testing/write-files.ts'
import { builtInProviders } from './built-in-providers.ts'
import { loadProvider } from './load-provider.ts'

const secret = 'sk-hush-4711'

const parrot = `export const parrot = ({ phrase, apiKey }) => {
  if (phrase === 7) throw new TypeError('the key ' + apiKey + ' opens nothing')
  return { contract: 2, id: 'parrot', phrase, apiKey, models: [] }
}`

/** The files of an installed package. */
function packaged(name: string, code: string): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, type: 'module', exports: './main.js' }),
    [`node_modules/${name}/main.js`]: code,
  }
}

const installed = {
  ...packaged('fairlead-provider-parrot', parrot),
  ...packaged('@acme/fairlead-provider-big-bird', 'export default () => ({ contract: 2, id: "big", models: [] })'),
  ...packaged('fairlead-provider-mute', 'export const talk = () => {}'),
  ...packaged('fairlead-provider-late', 'export const late = () => ({ contract: 3, id: "late", models: [] })'),
  ...packaged('fairlead-provider-odd', 'export const odd = () => "a provider"'),
  ...packaged('fairlead-provider-broken', 'import "fairlead-not-there"'),
  'own/bird.js': parrot.replace('parrot', 'bird'),
}

function load(entry: unknown, environment: Readonly<Record<string, string>> = {}, files = installed) {
  const from = join(folderWith(files), 'fairlead.config.json')
  const configured = { entry: entry as ProviderEntry, source: 'fairlead.config.json', field: 'providers[2]', from }
  return loadProvider(configured, environment)
}

async function refusal(entry: unknown, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const failure = await load(entry, environment).then(
    () => new Error('nothing'),
    (error: Error) => error,
  )
  expect(failure.name).toBe('ConfigError')
  return failure.message
}

describe('a provider', () => {
  test('a provider can be an instance that the file creates', async () => {
    const made = scripted('calm', 'hello')
    expect(await load(made)).toBe(made)
  })

  test('a provider can be built in and named', async () => {
    expect(await load('local')).toMatchObject({ id: 'local' })
  })

  test('a provider can come from a package, which receives the options unchanged', async () => {
    const client = new Map()
    expect(await load({ use: 'fairlead-provider-parrot', phrase: client })).toMatchObject({
      id: 'parrot',
      phrase: client,
    })
  })

  test.each(['@acme/fairlead-provider-big-bird', 'fairlead-provider-parrot'])(
    'a provider comes from a package: %s',
    async (use) => {
      expect(await load({ use })).toMatchObject({ contract: 2 })
      expect(await load(use)).toMatchObject({ contract: 2 })
    },
  )

  test('a provider can come from a file next to the configuration', async () => {
    expect(await load({ use: './own/bird.js', phrase: 'tweet' })).toMatchObject({ phrase: 'tweet' })
  })

  test('a provider gets the values of the variables in its options, at any depth', async () => {
    const entry = { use: 'fairlead-provider-parrot', apiKey: { env: 'BIRD_KEY' }, phrase: [{ word: { env: 'WORD' } }] }
    expect(await load(entry, { BIRD_KEY: secret, WORD: 'tweet' })).toMatchObject({
      apiKey: secret,
      phrase: [{ word: 'tweet' }],
    })
  })
})

describe('a built-in provider', () => {
  test.each<[unknown, Record<string, string>, string]>([
    ['openai', { OPENAI_API_KEY: secret }, 'openai'],
    ['anthropic', { ANTHROPIC_API_KEY: secret }, 'anthropic'],
    ['google', { GOOGLE_GENERATIVE_AI_API_KEY: secret }, 'google'],
    ['google', { GOOGLE_API_KEY: secret }, 'google'],
    ['google', { GEMINI_API_KEY: secret }, 'google'],
    ['ollama', {}, 'ollama'],
    ['ollama', { OLLAMA_HOST: 'models.example.com' }, 'ollama'],
    ['vllm', {}, 'vllm'],
    [{ use: 'openai', id: 'openai-eu', apiKey: [secret, 'another'] }, {}, 'openai-eu'],
    [{ use: 'openai', id: 'proxy', baseUrl: 'http://127.0.0.1:9/v1' }, {}, 'proxy'],
    [
      { use: 'anthropic', apiKey: { env: 'CLAUDE' }, effort: 'high', models: 'fetched' },
      { CLAUDE: secret },
      'anthropic',
    ],
    [{ use: 'openai-compatible', id: 'acme', baseUrl: 'http://127.0.0.1:9/v1' }, {}, 'acme'],
  ])('a built-in provider is made of %j and %j', async (entry, environment, id) => {
    const provider = await load(entry, environment)
    await provider.close?.()
    expect(provider).toMatchObject({ contract: 2, id })
  })

  test('a built-in provider uses the key of the first variable that is set', () => {
    const environment = { GEMINI_API_KEY: 'gemini', GOOGLE_API_KEY: 'google' }
    expect(builtInProviders['google']?.fromEnvironment(environment)).toEqual({ apiKey: 'google' })
  })

  test('a built-in provider has the models of the configuration', async () => {
    const model = { type: 'text', id: 'big', name: 'Big', description: 'Our own.', maxTokens: 4_096 }
    const provider = await load({
      use: 'openai-compatible',
      id: 'rack',
      baseUrl: 'http://127.0.0.1:9',
      models: [model],
    })
    await provider.close?.()
    expect(provider.models).toEqual([model])
  })

  test.each(['openai', 'anthropic', 'google'])(
    'a built-in provider asks its upstream for its models: %s',
    async (use) => {
      const provider = await load({ use, apiKey: secret, models: 'fetched' })
      await provider.close?.()
      expect(provider.models).toBeInstanceOf(Function)
    },
  )
})

describe('an error explains the invalid provider:', () => {
  test.each([
    [
      'locla',
      'names "locla", which is neither built in nor installed (did you mean "local"?). Built-in providers: local,',
    ],
    [{ use: 'fairlead-provider-owl' }, 'To install a plugin, run npm install fairlead-provider-owl'],
    [{ use: 7 }, '.use must be the name of a provider or of its package'],
    [{ use: './own' }, 'it is a folder; name a file in it, such as ./acme/index.js'],
    [{ use: './owl.js' }, 'names "./owl.js", which is not a file: write its path relative to the configuration file'],
    [{ id: 'x' }, '.use is missing: it names the provider, such as { "use": "openai" }'],
    [{ contract: 2, id: 'x' }, 'is not a provider, which has at least a contract, an id and models'],
    [{ use: 'fairlead-provider-mute' }, 'exports neither a function "mute" nor a default function'],
    [{ use: 'fairlead-provider-late' }, 'implements contract 3, and this version of Fairlead supports contract 2'],
    [
      { contract: '2', id: 'x', models: [] },
      'implements contract "2", and this version of Fairlead supports contract 2',
    ],
    [{ use: 'fairlead-provider-odd' }, 'is not a provider'],
    [{ use: 'fairlead-provider-broken' }, 'imports fairlead-not-there, which is not installed there'],
    [{ use: 'llama-cpp' }, '.path must name a GGUF file'],
    [{ use: 'llama-cpp', path: '/nowhere/m.gguf' }, ': the model cannot be used. '],
    [{ use: 'llama-cpp', pat: '/m.gguf' }, '.pat is not a known field; did you mean providers[2].path?'],
    ['openai', '.apiKey is missing: set OPENAI_API_KEY, or give apiKey'],
    [{ use: 'openai', apikey: 'k' }, '.apikey is not a known field; did you mean providers[2].apiKey?'],
    [{ use: 'openai', apiKey: [] }, '.apiKey must have at least 1 entry'],
    [{ use: 'openai', apiKey: 7 }, '.apiKey must be a key, or a list of keys'],
    [
      { use: 'openai', apiKey: 'k', models: 'all' },
      '.models must be a list of models, or "fetched", "catalog", or "any"',
    ],
    [{ use: 'openai', apiKey: 'k', models: ['gpt-9'] }, '.models[0] must be a model: { "type": "text", "id": "…", '],
    [{ use: 'anthropic', apiKey: 'k', models: [{ id: 'm' }] }, '.models[0] must be a model: { "type": "text", '],
    [
      { use: 'google', apiKey: 'k', models: 'all' },
      '.models must be a list of models, or "fetched", "catalog", or "any"',
    ],
    [{ use: 'openai', apiKey: 'k', timeouts: { connectMs: 0 } }, '.timeouts.connectMs must be at least 1'],
    [{ use: 'openai', apiKey: 'k', rateLimitHeaders: 'yes' }, '.rateLimitHeaders must be true or false'],
    [{ use: 'openai', apiKey: 'k', baseUrl: 'nowhere' }, '[2].baseUrl must be an http or https address'],
    [{ use: 'openai', apiKey: ['k', ''] }, '[2].apiKey[1] is empty'],
    [{ use: 'anthropic', apiKey: 'k', headers: { 'x-a': 'b\nc' } }, '[2].headers.x-a has spaces at its ends, line'],
    [{ use: 'azure', apiKey: 'k' }, '.baseUrl is missing: set AZURE_OPENAI_BASE_URL, or give baseUrl'],
    [{ use: 'openai-compatible', baseUrl: 'http://127.0.0.1:9' }, '.id must name the provider, such as "acme"'],
    [{ use: 'anthropic', apiKey: 'k', allow: 'speed' }, '.allow must be a list of names'],
    [
      { use: 'anthropic', apiKey: 'k', allow: ['sped'] },
      '.allow[0] is the unknown name "sped" (did you mean "speed"?)',
    ],
    [{ use: 'groq', apiKey: 'k', allow: ['servicetier', 'websearch2'] }, '.allow[1] is the unknown name "websearch2"'],
    [{ use: 'anthropic', effort: 'much' }, '.effort must be one of "low"'],
    [{ use: 'openai', apiKey: 'k', effort: 'much' }, '.effort must be one of "none"'],
    [{ use: 'google', effort: 'max' }, '.effort must be one of "low"'],
    [{ use: 'local', voice: 'loud' }, '.voice is not a known field'],
    [
      { use: 'fairlead-provider-parrot', apiKey: { env: 'BIRD_KEY' } },
      '.apiKey names the variable BIRD_KEY, which is not set',
    ],
  ])('an error explains the invalid provider: %j', async (entry, said) => {
    const message = await refusal(entry)
    expect(message).toContain(said)
    expect(message).toMatch(/^fairlead\.config\.json: providers\[2\]/)
  })

  test.each([
    { use: 'fairlead-provider-parrot', apiKey: secret, phrase: 7 },
    { use: 'fairlead-provider-parrot', apiKey: { env: 'BIRD_KEY' }, phrase: 7 },
  ])(
    'an error explains an invalid provider without the value of a secret, though the plugin itself repeats it',
    async (entry) => {
      expect(await refusal(entry, { BIRD_KEY: secret })).toBe(
        'fairlead.config.json: providers[2]: the key [hidden] opens nothing',
      )
    },
  )
})
