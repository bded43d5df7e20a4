import type { OptionRules } from '@fairlead/core/provider'

/**
 * The options of the AI SDK's packages that cost more or use what is stored in the operator's account, in any package:
 * https://ai-sdk.dev/providers/ai-sdk-providers (checked 2026-11-22)
 */
export const optionRules: OptionRules = {
  grouped: true,
  fields: {
    serviceTier: ['auto', 'default', 'standard', 'on_demand', 'standard_only'],
    speed: ['standard'],
    inferenceGeo: [],
    store: [false],
    prediction: [],
    container: [],
    mcpServers: [],
    fallbacks: [],
    cachedContent: [],
    responseModalities: [['TEXT']],
    imageConfig: [],
    searchParameters: [{ mode: 'off' }],
    webSearchOptions: [],
    dataSources: [],
    plugins: [],
    // Vercel's gateway: which upstreams and keys to use.
    only: [],
    order: [],
    byok: [],
    chatTemplate: [],
    numCtx: [],
    keepAlive: [],
    options: [],
    fileId: [],
  },
}
