import type { TextRequest } from '@fairlead/core/provider'
import { toGoogleSchema } from '@fairlead/provider-toolkit'
import type { GenerateRequest } from './wire.ts'

/** @param id the provider's id, for the fields of its API that tools carry */
export function toolsToWire(
  { tools = [], toolChoice }: Pick<TextRequest, 'tools' | 'toolChoice'>,
  id: string,
): Pick<GenerateRequest, 'tools' | 'toolConfig'> {
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

type CallingConfig = NonNullable<GenerateRequest['toolConfig']>['functionCallingConfig']

/** `VALIDATED` is `AUTO` with inputs that follow the schema, as those of `ANY` always do. */
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
