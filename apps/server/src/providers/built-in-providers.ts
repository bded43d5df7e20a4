import { findPackageJSON } from 'node:module'
import * as z from 'zod'
import { type BuiltInProvider, type Options, httpProvider, modelsOrFetched, unknownFields } from './http-provider.ts'
import { presetProviders } from './preset-providers.ts'

/** The built-in providers by name, in the order of preference for a model that several have. */
export const builtInProviders: Readonly<Record<string, BuiltInProvider>> = {
  local: {
    enabledBy: async () => (hasLocalModels() ? 'built in' : undefined),
    fromEnvironment: ({ FAIRLEAD_DEMO: demo }) => (demo === 'on' ? { demo: true } : {}),
    options: z.strictObject({ demo: z.boolean().optional() }),
    make: loadLocal,
  },
  'llama-cpp': {
    enabledBy: async ({ FAIRLEAD_LOCAL_MODEL }) => FAIRLEAD_LOCAL_MODEL && 'FAIRLEAD_LOCAL_MODEL',
    fromEnvironment: ({ FAIRLEAD_LOCAL_MODEL: path }) => (path ? { path } : {}),
    options: z.strictObject({
      path: z.string({ error: 'must name a GGUF file, as FAIRLEAD_LOCAL_MODEL does' }),
      id: z.string().optional(),
      contextSize: z.int().min(1).optional(),
      waiting: z.int().min(0).optional(),
      threads: z.int().min(1).optional(),
    }),
    make: loadLlamaCpp,
  },
  anthropic: httpProvider({
    apiKey: 'ANTHROPIC_API_KEY',
    baseUrl: 'ANTHROPIC_BASE_URL',
    options: {
      models: modelsOrFetched,
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      unknownFields,
    },
    make: async (options) => (await import('@fairlead/provider-anthropic')).anthropic(options),
  }),
  google: httpProvider({
    // The variable of the AI SDK first, which is for Gemini alone; then the variables of Google's SDK, in its order.
    apiKey: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    options: { models: modelsOrFetched, effort: z.enum(['low', 'medium', 'high']).optional() },
    make: async (options) => (await import('@fairlead/provider-google')).google(options),
  }),
  ...presetProviders(),
}

/** A container image may be built without them. */
function hasLocalModels(): boolean {
  try {
    return findPackageJSON('@fairlead/provider-local', import.meta.url) !== undefined
  } catch {
    return false
  }
}

async function loadLocal({ demo }: Options) {
  if (!hasLocalModels()) throw new Error('this build has no local models; use one that has them, or another provider')
  const { local } = await import('@fairlead/provider-local')
  const { painter } = await import('@fairlead/provider-local-images')
  return local({ text: { demo: demo === true }, images: { painter } })
}

/** Loads the model at the start, so that the operator sees why it cannot be used. */
async function loadLlamaCpp(options: Options) {
  const { llamaCpp } = await import('@fairlead/provider-llama-cpp')
  const provider = llamaCpp({ ...options, path: String(options['path']) })
  try {
    await provider.warmUp()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the model cannot be used. ${reason}`, { cause: error })
  }
  return provider
}
