import type { Issue } from '@fairlead/core/provider'
import type { AnyImageModel, AnyResult } from './options.ts'

export type AnyWarning = (AnyResult | Awaited<ReturnType<AnyImageModel['doGenerate']>>)['warnings'][number]

/** The fields of requests, by their names in the AI SDK. */
const fields: ReadonlyMap<string, string> = new Map([
  ['maxOutputTokens', 'maxTokens'],
  ['stopSequences', 'stop'],
  ...['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed'].map((name) => [name, name] as const),
  ...['responseFormat', 'tools', 'toolChoice', 'reasoning', 'dimensions', 'size'].map((name) => [name, name] as const),
])
const maxWarnings = 20

/**
 * The warnings of a model, each with the field of the request that it concerns, if any.
 *
 * @param ignored fields that need no warning
 */
export function toIssues(warnings: readonly AnyWarning[] | undefined, ignored: readonly string[]): readonly Issue[] {
  const issues = (warnings ?? []).slice(0, maxWarnings).map(toIssue)
  return issues.filter(({ field }) => field === null || !ignored.includes(field))
}

function toIssue(warning: AnyWarning): Issue {
  switch (warning.type) {
    case 'unsupported-setting':
      return about(String(warning.setting), 'is not supported by the model', warning.details)
    case 'unsupported':
      return about(warning.feature, 'is not supported by the model', warning.details)
    case 'compatibility':
      return about(warning.feature, 'is emulated by the model', warning.details)
    case 'deprecated':
      return about(warning.setting, 'is deprecated', warning.message)
    case 'other':
      return { field: null, issue: warning.message }
    default:
      return { field: null, issue: 'unknown warning of the model' }
  }
}

function about(feature: string, fault: string, details: string | undefined): Issue {
  const field = fields.get(feature) ?? null
  const issue = details ? `${fault}: ${details}` : fault
  return { field, issue: field === null ? `${feature} ${issue}` : issue }
}
