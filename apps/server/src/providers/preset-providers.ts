import { efforts, type Preset, type PresetName, presets } from '@fairlead/provider-openai-compatible/presets'
import * as z from 'zod'
import { type BuiltInProvider, type Environment, httpProvider, modelsOrFetched, type Probe } from './http-provider.ts'

/** Options of servers with an OpenAI-compatible API, besides the common ones. */
const options = {
  models: modelsOrFetched,
  effort: z.enum(efforts).optional(),
  dialect: z.record(z.string(), z.unknown()).optional(),
}

/** The presets of OpenAI-compatible servers, and `openai-compatible` for any other. */
export function presetProviders(): Readonly<Record<string, BuiltInProvider>> {
  const known = Object.entries(presets as Readonly<Record<string, Preset>>).map(
    ([name, preset]) => [name, presetProvider(name as PresetName, preset)] as const,
  )
  return { ...Object.fromEntries(known), ollama: ollama(), 'openai-compatible': otherServer() }
}

function presetProvider(preset: PresetName, facts: Preset): BuiltInProvider {
  return httpProvider({
    apiKey: facts.apiKeyVariable,
    baseUrl: facts.baseUrlVariable,
    hasBaseUrl: facts.baseUrl !== undefined,
    requiresKey: facts.isLocal !== true,
    options,
    make: async (given) =>
      (await import('@fairlead/provider-openai-compatible')).openaiCompatible({ preset, ...given }),
  })
}

/** Of the servers on the user's own machine, only Ollama has a port that no other program uses. */
function ollama(): BuiltInProvider {
  return {
    ...presetProvider('ollama', presets.ollama),
    enabledBy: findOllama,
    fromEnvironment: (environment) => ({ baseUrl: `${ollamaAddress(environment)}/v1` }),
  }
}

function otherServer(): BuiltInProvider {
  const provider = httpProvider({
    hasBaseUrl: false,
    requiresKey: false,
    options: { ...options, id: z.string({ error: 'must name the provider, such as "acme"' }) },
    make: async (given) => (await import('@fairlead/provider-openai-compatible')).openaiCompatible(given),
  })
  return { ...provider, enabledBy: async () => undefined }
}

const defaultPort = 11_434

/**
 * The URL of Ollama, reading `OLLAMA_HOST` as Ollama does: a host, with or without a port and a scheme. If it listens on all
 * addresses, it is reached over loopback.
 */
export function ollamaAddress({ OLLAMA_HOST = '' }: Environment): string {
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*?)\/*$/.exec(OLLAMA_HOST.trim()) ?? []
  const [, host = '', port = scheme === undefined ? `:${defaultPort}` : ''] = /^(.*?)(:\d+)?$/.exec(rest) ?? []
  const reachable = ['', '0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host
  return `${scheme ?? 'http'}://${reachable}${port}`
}

/** Ollama on another machine is used only if `OLLAMA_HOST` names it. */
export async function findOllama(environment: Environment, probe: Probe): Promise<string | undefined> {
  if (environment['OLLAMA_HOST']) return 'OLLAMA_HOST'
  const address = ollamaAddress({})
  return (await probe(`${address}/api/version`)) ? `it responds at ${address}` : undefined
}
