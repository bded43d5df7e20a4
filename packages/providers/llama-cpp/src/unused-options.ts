import type { Issue, ProviderOptions, TextRequest } from '@fairlead/core/provider'

interface WithOptions {
  readonly providerOptions?: ProviderOptions | undefined
}

const maxWarnings = 20

/** Warnings for this provider's own options: llama.cpp gets none of them. */
export function unusedOptions({
  messages = [],
  providerOptions,
}: WithOptions & Partial<Pick<TextRequest, 'messages'>>): readonly Issue[] {
  const parts = messages.flatMap(({ content }, index) =>
    content.map(
      (part: object, at) => [`messages[${index}].content[${at}].`, (part as WithOptions).providerOptions] as const,
    ),
  )
  const fields = [['', providerOptions] as const, ...parts].flatMap(([path, options]) =>
    Object.keys(options?.['llama-cpp'] ?? {}).map((name) => `${path}providerOptions.llama-cpp.${name}`),
  )
  return fields.slice(0, maxWarnings).map((field) => ({ field, issue: 'is ignored: this provider has no options' }))
}
