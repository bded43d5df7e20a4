import { toApiError } from '../../api/api-error.ts'
import type { CallRequest } from './call-model.ts'
import { type ModelChoice, unlistedChoice } from './model-choices.ts'
import { analysisParameters, imageParameters, type Parameter, textParameters, toFields } from './parameters.ts'
import { type Draft, type Mode, type Settings, type Side, sides } from './playground-state.ts'
import type { Call, Calls } from './use-calls.ts'

/** A model with its parameters, and its latest call. */
export interface Column {
  /** The name of its latest call. */
  readonly key: string
  readonly side: Side
  /** `Model`, or `Model A` in a comparison. */
  readonly title: string
  readonly choice: ModelChoice | undefined
  readonly settings: Settings
  readonly parameters: readonly Parameter[]
  /** What the next call sends. Undefined without a model. */
  readonly request: CallRequest | undefined
  readonly call: Call | undefined
  /** Why the service rejected fields of the latest call that have not changed since, by their names. */
  readonly issues: ReadonlyMap<string, string>
}

export interface ColumnsOptions {
  readonly mode: Mode
  readonly compare: boolean
  readonly draft: Draft
  readonly choices: readonly ModelChoice[] | undefined
  readonly latest: Calls['latest']
}

export function columnsOf({ mode, compare, draft, choices, latest }: ColumnsOptions): readonly Column[] {
  return (compare ? sides : sides.slice(0, 1)).map((side, index) => {
    const settings = draft[side]
    const choice = chosenOf(choices, settings['model'], index)
    const parameters = parametersOf[mode](choice?.traits)
    const key = `${mode} ${side}`
    const call = latest[key]
    const request = choice && toRequest(mode, choice, draft.prompt, toFields(parameters, settings))
    return {
      key,
      side,
      title: compare ? `Model ${side.toUpperCase()}` : 'Model',
      choice,
      settings,
      parameters,
      request,
      call,
      issues: issuesOf(call, request),
    }
  })
}

/** Until one is chosen, the columns have the first models of the list. */
function chosenOf(
  choices: readonly ModelChoice[] | undefined,
  id: string | undefined,
  index: number,
): ModelChoice | undefined {
  if (id !== undefined) return choices?.find(({ value }) => value === id) ?? unlistedChoice(id)
  return choices?.[index] ?? choices?.[0]
}

const parametersOf = { text: textParameters, image: imageParameters, analysis: analysisParameters } as const

const paths = { text: '/generate', image: '/generate/image', analysis: '/analyze' } as const

function toRequest(
  mode: Mode,
  { value }: ModelChoice,
  prompt: string,
  fields: Readonly<Record<string, unknown>>,
): CallRequest {
  const model = value === '' ? {} : { model: value }
  const text = mode === 'analysis' ? { text: prompt } : { prompt }
  return { path: paths[mode], body: { ...model, ...text, ...fields } }
}

function issuesOf(call: Call | undefined, request: CallRequest | undefined): ReadonlyMap<string, string> {
  if (call?.status !== 'failed') return new Map()
  const isUnchanged = (field: string) =>
    JSON.stringify(call.request.body[field]) === JSON.stringify(request?.body[field])
  // The issue of an item, such as `stop[1]`, belongs to its field.
  const issues = [...toApiError(call.error).fields].map(
    ([field, issue]) => [field.replace(/[.[].*/, ''), issue] as const,
  )
  return new Map(issues.filter(([field]) => isUnchanged(field)))
}
