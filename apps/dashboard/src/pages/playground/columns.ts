import { toApiError } from '../../api/api-error.ts'
import type { CallRequest } from './call-model.ts'
import {
  awaitsResults,
  type Conversation,
  conversationFields,
  newId,
  type Turn,
  type UserTurn,
} from './conversation/conversation.ts'
import { type ModelChoice, unlistedChoice } from './model-choices.ts'
import { analysisParameters, imageParameters, type Parameter, textParameters, toFields } from './parameters.ts'
import { type Draft, type Mode, type Settings, type Side, sides } from './playground-state.ts'
import type { Call } from './call.ts'
import type { Calls } from './use-calls.ts'

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
  /** The turns of the conversation before the next message. */
  readonly turns: readonly Turn[]
  /** The request of the next call; without a next message, of the latest call. Undefined without a model. */
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
  readonly conversation: Conversation
  readonly latest: Calls['latest']
}

export function createColumns({
  mode,
  compare,
  draft,
  choices,
  conversation,
  latest,
}: ColumnsOptions): readonly Column[] {
  const next = nextTurn(draft.prompt, conversation.attachments)
  return (compare ? sides : sides.slice(0, 1)).map((side, index) => {
    const settings = draft[side]
    const choice = findChosen(choices, settings['model'], index)
    const parameters = parametersOf[mode](choice?.traits)
    const key = `${mode} ${side}`
    const call = latest[key]
    const turns = conversation.turns[side]
    const input =
      mode === 'text'
        ? conversationFields(conversation, turnsToSend(turns, next))
        : { [mode === 'analysis' ? 'text' : 'prompt']: draft.prompt }
    const request = choice && toRequest(mode, choice, input, toFields(parameters, settings))
    return {
      key,
      side,
      title: compare ? `Model ${side.toUpperCase()}` : 'Model',
      choice,
      settings,
      parameters,
      turns,
      request,
      call,
      issues: collectIssues(call, request),
    }
  })
}

/** Until one is chosen, the columns have the first models of the list. */
function findChosen(
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
  input: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): CallRequest {
  const model = value === '' ? {} : { model: value }
  return { path: paths[mode], body: { ...model, ...input, ...fields } }
}

/** The next message of the user. Undefined if nothing was entered. */
export function nextTurn(prompt: string, attachments: UserTurn['attachments']): UserTurn | undefined {
  if (prompt.trim() === '' && attachments.length === 0) return undefined
  return { id: newId(), role: 'user', text: prompt, attachments }
}

/** The turns with the next message. Without one, those that the latest answer was given to. */
export function turnsToSend(turns: readonly Turn[], next: UserTurn | undefined): readonly Turn[] {
  if (next) return [...turns, next]
  if (turns.length === 0) return [{ id: '', role: 'user', text: '', attachments: [] }]
  return turns.at(-1)?.role === 'assistant' && !awaitsResults(turns) ? turns.slice(0, -1) : turns
}

/** The request of a column for an answer to other turns. */
export function requestFor(
  { request }: Column,
  conversation: Conversation,
  turns: readonly Turn[],
): CallRequest | undefined {
  if (!request) return undefined
  const { model, prompt: _prompt, messages: _messages, ...parameters } = request.body
  return { ...request, body: { model, ...conversationFields(conversation, turns), ...parameters } }
}

function collectIssues(call: Call | undefined, request: CallRequest | undefined): ReadonlyMap<string, string> {
  if (call?.status !== 'failed') return new Map()
  // The panel of the failure names the messages: comparing their attachments would take long.
  const isUnchanged = (field: string) =>
    field !== 'messages' && JSON.stringify(call.request.body[field]) === JSON.stringify(request?.body[field])
  // The issue of an item, such as `stop[1]`, belongs to its field.
  const issues = [...toApiError(call.error).fields].map(
    ([field, issue]) => [field.replace(/[.[].*/, ''), issue] as const,
  )
  return new Map(issues.filter(([field]) => isUnchanged(field)))
}
