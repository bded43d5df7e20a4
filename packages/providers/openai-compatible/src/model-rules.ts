import type { Issue, TextRequest } from '@fairlead/core/provider'

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** How much a model reasons before it answers. Models accept different levels. */
export type OpenaiEffort = (typeof efforts)[number]

/** The parameters that some models do not take, and their names in the API. */
export const parameterNames = {
  temperature: 'temperature',
  topP: 'top_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  seed: 'seed',
  stop: 'stop',
} as const satisfies Partial<Record<keyof TextRequest, string>>
export type SamplingField = keyof typeof parameterNames
export const samplingFields = Object.keys(parameterNames) as readonly SamplingField[]

/** The settings that a model accepts besides a prompt. */
export interface ModelRule {
  /** The efforts that it accepts, lowest first; `any` where the server adapts every effort. Default: none. */
  readonly efforts?: readonly [OpenaiEffort, ...OpenaiEffort[]] | 'any'
  /** Whether it reasons unless a request names an effort. Default: whether it always reasons. */
  readonly reasonsByDefault?: true
  /**
   * The API that it needs, if the server has both: `responses` for all requests, or for those with tools while it reasons.
   * Default: either.
   */
  readonly needsResponses?: 'always' | 'withTools'
  /** Parameters that it never takes. Default: none. */
  readonly ignores?: readonly SamplingField[]
  /** Parameters that it does not take while it reasons. Default: none. */
  readonly ignoresWhenReasoning?: readonly SamplingField[]
}

const penalties = ['frequencyPenalty', 'presencePenalty'] as const
const sampling = ['temperature', 'topP', ...penalties, 'stop'] as const
const lowToHigh = ['low', 'medium', 'high'] as const
const noneToHigh = ['none', ...lowToHigh] as const
const noneToMax = [...noneToHigh, 'xhigh', 'max'] as const
const doesNotReason: ModelRule = {}
const gpt5 = {
  ignores: [...penalties, 'stop'],
  ignoresWhenReasoning: ['temperature', 'topP'],
  efforts: noneToMax,
} as const
const deepseek = { efforts: ['none', 'low', 'high', 'max'], reasonsByDefault: true } as const

/** The first line that matches a model's id applies. */
const tables = {
  /** Accepted efforts as users found them: community.openai.com/t/1371738. */
  openai: [
    [/^gpt-5-chat/, doesNotReason],
    [/^gpt-5\.\d+-chat|^o1-(?:mini|preview)/, { ignores: sampling }],
    [/^gpt-5-pro/, { ignores: sampling, efforts: ['high'], needsResponses: 'always' }],
    [/^gpt-5\.\d+-pro/, { ignores: sampling, efforts: ['medium', 'high', 'xhigh'], needsResponses: 'always' }],
    // Their searches take no sampling parameters.
    [/-search-(?:preview|api)/, { ignores: sampling }],
    [/^gpt-5\S*-codex|^codex/, { ignores: sampling, efforts: [...lowToHigh, 'xhigh'], needsResponses: 'always' }],
    [/^gpt-5\.[0-3]/, gpt5],
    // From this version on, chat completions reject tools together with an effort.
    [/^gpt-5\.\d/, { ...gpt5, needsResponses: 'withTools' }],
    [/^gpt-5/, { ignores: sampling, efforts: ['minimal', ...lowToHigh] }],
    [/^gpt-6-(?:sol|luna)/, { ignores: sampling, efforts: noneToMax, needsResponses: 'withTools' }],
    [
      /^gpt-(?:[6-9]|\d\d)/,
      { ignores: sampling, efforts: [...lowToHigh, 'xhigh', 'max'], needsResponses: 'withTools' },
    ],
    [/^o\d\S*-(?:pro|deep-research)/, { ignores: sampling, efforts: lowToHigh, needsResponses: 'always' }],
    [/^o\d/, { ignores: sampling, efforts: lowToHigh }],
  ],
  /** As Groq and Cerebras serve them: console.groq.com/docs/reasoning. */
  'open-weights': [
    [/gpt-oss/, { efforts: lowToHigh }],
    [/qwen-?3/, { efforts: ['none'] }],
  ],
  /** api-docs.deepseek.com/guides/thinking_mode: parameters that do not apply are ignored without an error. */
  deepseek: [
    [/flash/, { ...deepseek, ignores: ['topP'], ignoresWhenReasoning: ['temperature', ...penalties] }],
    [/./, { ...deepseek, ignoresWhenReasoning: ['temperature', 'topP', ...penalties] }],
  ],
  /** docs.mistral.ai/inference/conversations/reasoning; other models answer 422 to an effort. */
  mistral: [
    [/^mistral-(?:small-(?:latest|2603)|medium-(?:latest|2604|3[.-]5))/, { efforts: ['none', 'high'] }],
    [/^mistral-large-4/, { efforts: lowToHigh }],
  ],
  /** docs.x.ai/developers/model-capabilities/text/reasoning; other models answer 400 to an effort. */
  xai: [
    [/^grok-4\.3/, { efforts: noneToHigh }],
    [/^grok-4\.5/, { efforts: lowToHigh }],
    [/^grok-4\.[6-9]/, { efforts: [...lowToHigh, 'xhigh'] }],
    [/^grok-3-mini/, { efforts: ['low', 'high'] }],
  ],
  /** Each model's rule comes with the list of models; an effort that a model lacks is adapted. */
  openrouter: [[/./, { efforts: 'any' }]],
  /** Each model's rule comes with the list of models. */
  ollama: [[/./, { efforts: 'any' }]],
} as const satisfies Readonly<Record<string, readonly (readonly [RegExp, ModelRule])[]>>

export type ReasoningFamily = keyof typeof tables
export const reasoningFamilies = Object.keys(tables) as [ReasoningFamily, ...ReasoningFamily[]]

/** A model that no rule names takes every parameter and no effort. */
export function findRule(family: ReasoningFamily | undefined, model: string): ModelRule {
  const table: readonly (readonly [RegExp, ModelRule])[] = family ? tables[family] : []
  const id = model.replace(/^ft:/, '')
  return table.find(([ids]) => ids.test(id))?.[1] ?? doesNotReason
}

export interface ChosenEffort {
  /** Undefined where the request names none. */
  readonly effort: OpenaiEffort | undefined
  /** Whether the model reasons, as far as its rule says. */
  readonly isReasoning: boolean
  readonly warnings: readonly Issue[]
}

/**
 * The effort to send to a model: the request's, the configured one, or the lowest that it accepts. An effort that the
 * model lacks becomes the next higher one, or else its highest, and the caller is warned.
 *
 * @param requested null: none is sent, unless one is configured
 */
export function chooseEffort(
  rule: ModelRule,
  configured: OpenaiEffort | undefined,
  requested?: OpenaiEffort | null,
): ChosenEffort {
  const { efforts: accepted, reasonsByDefault } = rule
  if (requested === null && configured === undefined) {
    const alwaysReasons = accepted !== 'any' && isReasoningAt(accepted?.[0])
    return { effort: undefined, isReasoning: reasonsByDefault ?? alwaysReasons, warnings: [] }
  }
  const wanted = requested ?? configured
  const effort = acceptedEffort(accepted, wanted)
  const isApplied = wanted === undefined || effort === wanted || (effort === undefined && wanted === 'none')
  return {
    effort,
    isReasoning: isReasoningAt(effort),
    warnings: isApplied ? [] : [effortWarning(wanted, effort, requested != null)],
  }
}

function effortWarning(wanted: OpenaiEffort, effort: OpenaiEffort | undefined, isRequested: boolean): Issue {
  const outcome =
    effort === undefined
      ? 'is not supported by this model and was ignored'
      : `is not available for this model; "${effort}" was used`
  return isRequested
    ? { field: 'reasoning', issue: `the effort "${wanted}" ${outcome}` }
    : { field: null, issue: `the configured effort "${wanted}" ${outcome}` }
}

function acceptedEffort(accepted: ModelRule['efforts'], wanted: OpenaiEffort | undefined): OpenaiEffort | undefined {
  if (accepted === 'any') return wanted
  if (wanted === undefined || !accepted) return accepted?.[0]
  return accepted.find((each) => efforts.indexOf(each) >= efforts.indexOf(wanted)) ?? accepted.at(-1)
}

/** Whether a model reasons at this effort. */
function isReasoningAt(effort: OpenaiEffort | undefined): boolean {
  return effort !== undefined && effort !== 'none'
}

/** Whether a model's reasoning can be set to something other than off. */
export function canReason({ efforts: accepted }: ModelRule): boolean {
  return accepted === 'any' || accepted?.some(isReasoningAt) === true
}

/** The fields that tell a server the effort. */
export function effortFields(
  family: ReasoningFamily | undefined,
  effort: OpenaiEffort,
): Readonly<Record<string, unknown>> {
  if (family === 'openrouter') return { reasoning: { effort } }
  if (family !== 'deepseek') return { reasoning_effort: effort }
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  return { thinking: { type: 'enabled' }, reasoning_effort: effort }
}
