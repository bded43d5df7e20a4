import type { Issue, ProviderOptions, TextRequest } from '@fairlead/core/provider'
import { capWarnings } from './cap-warnings.ts'

interface WithOptions {
  readonly providerOptions?: ProviderOptions | undefined
}

/** A warning for each of this provider's own options: its models have none. */
export function unusedOptions({
  messages = [],
  tools = [],
  providerOptions,
}: WithOptions & Partial<Pick<TextRequest, 'messages' | 'tools'>>): readonly Issue[] {
  const found: Issue[] = []
  const check = (at: string, { providerOptions: options }: WithOptions) => {
    for (const name of Object.keys(options?.['local'] ?? {})) {
      found.push({
        field: `${at}providerOptions.local.${name}`,
        issue: 'is ignored: models of "local" have no options',
      })
    }
  }
  check('', { providerOptions })
  for (const [index, tool] of tools.entries()) check(`tools[${index}].`, tool)
  for (const [index, { content }] of messages.entries()) {
    for (const [at, part] of content.entries()) {
      if (part.type !== 'opaque') check(`messages[${index}].content[${at}].`, part)
    }
  }
  return capWarnings(found)
}
