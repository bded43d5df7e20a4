import { type Issue, ProviderError, type TextRequest } from '@fairlead/core/provider'
import { toGoogleSchema, unsupported } from '@fairlead/provider-toolkit'
import { isGemini3 } from './model-rules.ts'
import type { GenerateRequest } from './wire.ts'

type Tools = Pick<GenerateRequest, 'tools' | 'toolConfig'>

/** The fields for the functions of a request, and for its search of the web. */
export interface WireTools {
  readonly fields: Tools
  readonly warnings: readonly Issue[]
}

/**
 * @param id the provider's id, for the fields of its API that tools carry
 * @throws ProviderError that names the field for a limit of the domains, which the API does not have
 */
export function toolsToWire(
  request: Pick<TextRequest, 'model' | 'tools' | 'toolChoice' | 'webSearch'>,
  id: string,
): WireTools {
  const fields = functionsToWire(request, id)
  return request.webSearch ? withSearch(fields, request, request.webSearch) : { fields, warnings: [] }
}

/** Models before Gemini 3 search only if there are no functions. None can be made to search. */
function withSearch(
  { tools = [], toolConfig }: Tools,
  { model, toolChoice }: Pick<TextRequest, 'model' | 'toolChoice'>,
  { maxUses, userLocation, allowedDomains, blockedDomains }: NonNullable<TextRequest['webSearch']>,
): WireTools {
  if (allowedDomains || blockedDomains) {
    const detail = 'is not supported by this model, which searches all domains'
    const field = `webSearch.${allowedDomains ? 'allowedDomains' : 'blockedDomains'}`
    throw new ProviderError('invalid_request', detail, { field, detail })
  }
  const fields = { ...(tools.length > 0 && { tools }), ...(toolConfig && { toolConfig }) }
  if (toolChoice?.type === 'none') return { fields, warnings: [] }
  if (tools.length > 0 && !isGemini3(model)) {
    const issue = 'was ignored: this model cannot search and call functions in one request'
    return { fields, warnings: [{ field: 'webSearch', issue }] }
  }
  const warnings = [
    ...(maxUses === undefined ? [] : [unsupported('webSearch.maxUses')]),
    ...(userLocation ? [unsupported('webSearch.userLocation')] : []),
    ...(toolChoice?.type === 'required' && tools.length === 0 ? [searchesItself] : []),
  ]
  return {
    fields: {
      tools: [...tools, { googleSearch: {} }],
      ...(tools.length > 0 && { toolConfig: { ...toolConfig, includeServerSideToolInvocations: true } }),
    },
    warnings,
  }
}

const searchesItself: Issue = { field: 'toolChoice', issue: 'this model decides itself whether it searches the web' }

function functionsToWire({ tools = [], toolChoice }: Pick<TextRequest, 'tools' | 'toolChoice'>, id: string): Tools {
  if (tools.length === 0) return {}
  const functionDeclarations = tools.map(({ name, description, inputSchema, providerOptions }) => ({
    ...providerOptions?.[id],
    name,
    ...(description !== undefined && { description }),
    parametersJsonSchema: toGoogleSchema(inputSchema),
  }))
  const isStrict = tools.some(({ strict = false }) => strict)
  const functionCallingConfig = callingConfig(toolChoice, isStrict)
  return { tools: [{ functionDeclarations }], ...(functionCallingConfig && { toolConfig: { functionCallingConfig } }) }
}

type CallingConfig = NonNullable<NonNullable<GenerateRequest['toolConfig']>['functionCallingConfig']>

/** `VALIDATED` is `AUTO` with inputs that follow the schema, as with `ANY`. */
function callingConfig(choice: TextRequest['toolChoice'], isStrict: boolean): CallingConfig | undefined {
  switch (choice?.type) {
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'auto':
      return { mode: isStrict ? 'VALIDATED' : 'AUTO' }
    default:
      return isStrict ? { mode: 'VALIDATED' } : undefined
  }
}
