import type { OptionRules } from '@fairlead/core/provider'

/**
 * The fields of the Gemini API that cost more or use what is stored in the operator's account:
 * https://ai.google.dev/api/generate-content (checked 2026-11-22)
 */
export const optionRules: OptionRules = {
  fields: {
    serviceTier: ['standard', 'unspecified', 'SERVICE_TIER_STANDARD', 'SERVICE_TIER_UNSPECIFIED'],
    cachedContent: [],
    store: [false],
    'generationConfig.responseModalities': [['TEXT']],
    'generationConfig.speechConfig': [],
    'generationConfig.imageConfig': [],
  },
  // A file of the account, or the trace of a hosted tool.
  ofParts: { fileData: [], executableCode: [], codeExecutionResult: [], toolCall: [], toolResponse: [] },
  tools: {
    typesOf: Object.keys,
    free: ['functionDeclarations', 'computerUse'],
    hosted: [
      'googleSearch',
      'googleSearchRetrieval',
      'googleMaps',
      'urlContext',
      'codeExecution',
      'fileSearch',
      'mcpServers',
      'enterpriseWebSearch',
      'retrieval',
    ],
  },
}
