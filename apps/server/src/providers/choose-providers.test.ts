import type { Provider } from '@fairlead/core/provider'
import { scripted, testClock } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../config-file.ts'
import { chooseProviders, loadProviders, type ProviderChoice } from './choose-providers.ts'

const nothingAnswers = async () => false

function file(providers: NonNullable<ConfigFile['config']['providers']>): ConfigFile {
  return { path: '/etc/fairlead.config.json', name: 'fairlead.config.json', config: { providers } }
}

async function names(choice: Partial<ProviderChoice>): Promise<readonly string[]> {
  const chosen = await chooseProviders({
    names: 'auto',
    file: undefined,
    environment: {},
    probe: nothingAnswers,
    ...choice,
  })
  return chosen.map(({ name, reason }) => `${name} by ${reason}`)
}

describe('the providers', () => {
  test('the providers are those of the file, in order', async () => {
    const entries = [scripted('mine', 'hello'), 'local', { use: 'fairlead-provider-x', id: 'y' }]
    expect(await names({ file: file(entries) })).toEqual([
      'mine by fairlead.config.json',
      'local by fairlead.config.json',
      'y by fairlead.config.json',
    ])
  })

  test('the providers are those of the list, from the file or else built in', async () => {
    const entries = [scripted('mine', 'hello'), 'llama-cpp']
    expect(await names({ file: file(entries), names: ['local', 'mine'] })).toEqual([
      'local by FAIRLEAD_PROVIDERS',
      'mine by fairlead.config.json',
    ])
  })

  test.each([
    ['locla', 'FAIRLEAD_PROVIDERS names the unknown provider "locla" (did you mean "local"?); write "auto"'],
    ['', 'FAIRLEAD_PROVIDERS names the unknown provider ""; write "auto" or a list of: mine, local, '],
  ])('the providers are refused where the list names none: "%s"', async (name, said) => {
    await expect(names({ file: file([scripted('mine', 'hello')]), names: [name] })).rejects.toThrow(said)
  })

  test('the providers are used once, however often the list names them', async () => {
    expect(await names({ names: ['local', 'local'] })).toEqual(['local by FAIRLEAD_PROVIDERS'])
  })

  test('the providers are closed when another one cannot be loaded', async () => {
    let isClosed = false
    const mine = { ...scripted('mine', 'hello'), close: async () => void (isClosed = true) }
    const chosen = await chooseProviders({ names: 'auto', file: file([mine, 'c-d']), environment: {} })
    await expect(loadProviders(chosen)).rejects.toThrow('providers[1]')
    expect(isClosed).toBe(true)
  })

  test('the providers are reported every ten seconds while they are loading', async () => {
    const clock = testClock()
    const heard: (readonly string[])[] = []
    let loaded = (_provider: Provider) => {}
    const source = { options: {} }
    const slow = {
      source,
      name: 'slow',
      reason: 'a file',
      check: () => [],
      load: () => new Promise<Provider>((resolve) => (loaded = resolve)),
    }
    const quick = {
      source,
      name: 'quick',
      reason: 'a file',
      check: () => [],
      load: async () => scripted('quick', 'hello'),
    }
    const loading = loadProviders([quick, slow], { clock, onWait: (missing) => void heard.push(missing) })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(20_000)
    loaded(scripted('slow', 'hello'))
    expect(await loading).toHaveLength(2)
    clock.advance(20_000)
    expect(heard).toEqual([['slow'], ['slow']])
  })

  test('the providers are reported together when they cannot be loaded', async () => {
    const chosen = await chooseProviders({ names: 'auto', file: file(['a-b', 'local', 'c-d']), environment: {} })
    const failure = await loadProviders(chosen).catch((error: Error) => error)
    expect(String(failure).match(/providers\[\d\]/g)).toEqual(['providers[0]', 'providers[2]'])
  })
})

describe('the providers that the environment enables', () => {
  test.each<[Record<string, string>, readonly string[]]>([
    [{}, ['local by built in']],
    [{ FAIRLEAD_LOCAL_MODEL: '/m.gguf' }, ['local by built in', 'llama-cpp by FAIRLEAD_LOCAL_MODEL']],
    [{ ANTHROPIC_API_KEY: 'k' }, ['local by built in', 'anthropic by ANTHROPIC_API_KEY']],
    [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }, ['local by built in', 'anthropic by ANTHROPIC_BASE_URL']],
    [{ ANTHROPIC_API_KEY: '' }, ['local by built in']],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, ['local by built in', 'google by GOOGLE_GENERATIVE_AI_API_KEY']],
    [{ GEMINI_API_KEY: 'k' }, ['local by built in', 'google by GEMINI_API_KEY']],
    [{ GEMINI_API_KEY: 'k', GOOGLE_API_KEY: 'k' }, ['local by built in', 'google by GOOGLE_API_KEY']],
    [
      { GEMINI_API_KEY: 'k', GOOGLE_API_KEY: 'other' },
      ['local by built in', 'google by GOOGLE_API_KEY, which takes precedence over GEMINI_API_KEY'],
    ],
    [{ OPENAI_API_KEY: 'k' }, ['local by built in', 'openai by OPENAI_API_KEY']],
    [
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
      ['local by built in', 'openai by OPENAI_API_KEY with OPENAI_BASE_URL'],
    ],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, ['local by built in', 'openai by OPENAI_BASE_URL']],
    [
      { GROQ_API_KEY: 'k', MISTRAL_API_KEY: 'k' },
      ['local by built in', 'groq by GROQ_API_KEY', 'mistral by MISTRAL_API_KEY'],
    ],
    [{ OLLAMA_HOST: 'models.example.com' }, ['local by built in', 'ollama by OLLAMA_HOST']],
    [{ AZURE_OPENAI_API_KEY: 'k' }, ['local by built in']],
    [
      { AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_BASE_URL: 'https://x.openai.azure.com/openai/v1' },
      ['local by built in', 'azure by AZURE_OPENAI_BASE_URL'],
    ],
    [{ VLLM_API_KEY: 'k' }, ['local by built in']],
  ])('the environment enables providers by %j', async (environment, expected) => {
    expect(await names({ environment })).toEqual(expected)
  })
})
