import { efforts, type Preset, type PresetName, presets } from '@fairlead/provider-openai-compatible/presets'
import { z } from 'zod'
import { type BuiltInProvider, type Environment, httpProvider, modelsOrFetched, type Probe } from './http-provider.ts'

/** What servers of the chat-completion API may be told beside the address and the key. */
const options = {
  models: modelsOrFetched,
  effort: z.enum(efforts).optional(),
  dialect: z.record(z.string(), z.unknown()).optional(),
}

/** The servers that the package of the chat-completion API knows by name, and any other as `openai-compatible`. */
export function presetProviders(): Readonly<Record<string, BuiltInProvider>> {
  const known = Object.entries(presets as Readonly<Record<string, Preset>>).map(
    ([name, preset]) => [name, presetProvider(name as PresetName, preset)] as const,
  )
  return { ...Object.fromEntries(known), ollama: ollama(), 'openai-compatible': anyOther() }
}

function presetProvider(preset: PresetName, facts: Preset): BuiltInProvider {
  return httpProvider({
    apiKey: facts.apiKeyVariable,
    baseUrl: facts.baseUrlVariable,
    hasAddress: facts.baseUrl !== undefined,
    wantsKey: facts.isLocal !== true,
    options,
    make: async (given) =>
      (await import('@fairlead/provider-openai-compatible')).openaiCompatible({ preset, ...given }),
  })
}

/** Of those on the user's own machine, it alone listens where nothing else does. */
function ollama(): BuiltInProvider {
  return {
    ...presetProvider('ollama', presets.ollama),
    switchedOn: findOllama,
    fromEnvironment: (environment) => ({ baseUrl: `${ollamaAddress(environment)}/v1` }),
  }
}

function anyOther(): BuiltInProvider {
  const { switchedOn: _none, ...rest } = httpProvider({
    hasAddress: false,
    wantsKey: false,
    options: { ...options, id: z.string({ error: 'must name the provider, such as "acme"' }) },
    make: async (given) => (await import('@fairlead/provider-openai-compatible')).openaiCompatible(given),
  })
  return { ...rest, switchedOn: async () => undefined }
}

const usualPort = 11_434

/**
 * Where Ollama is, as its own programs read `OLLAMA_HOST`: a host, with or without a port and a scheme. Where it listens on
 * all addresses, this machine reaches it on the loopback.
 */
export function ollamaAddress({ OLLAMA_HOST = '' }: Environment): string {
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*?)\/*$/.exec(OLLAMA_HOST.trim()) ?? []
  const [, host = '', port = scheme === undefined ? `:${usualPort}` : ''] = /^(.*?)(:\d+)?$/.exec(rest) ?? []
  const reachable = ['', '0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host
  return `${scheme ?? 'http'}://${reachable}${port}`
}

/** Another machine's is used only where it is named. */
export async function findOllama(environment: Environment, probe: Probe): Promise<string | undefined> {
  if (environment['OLLAMA_HOST']) return 'OLLAMA_HOST'
  const address = ollamaAddress({})
  return (await probe(`${address}/api/version`)) ? `it answers at ${address}` : undefined
}
