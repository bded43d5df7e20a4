import type { ReasoningEffort } from '@fairlead/core/provider'
import type { GenerationConfig } from './wire.ts'

/** How much a model thinks, from its API's `thinkingLevel`. */
export type GoogleEffort = 'low' | 'medium' | 'high'

type Thinking = NonNullable<GenerationConfig['thinkingConfig']>

/** The settings that a text model accepts (Gemini API docs: "Thinking" and the news of each model). */
export interface ModelRules {
  /** Whether it supports `temperature` and `topP`; later models do not. */
  readonly sampling: boolean
  /** The setting for the minimum of thinking. */
  readonly minimumThinking: Thinking | undefined
  /** Whether thinking is limited by a number of tokens instead of a level. */
  readonly byBudget?: true
}

const minimal: Thinking = { thinkingLevel: 'MINIMAL' }
const low: Thinking = { thinkingLevel: 'LOW' }

/** By prefix of the id; the first match applies. */
const rulesByPrefix: readonly (readonly [prefix: string, ModelRules])[] = [
  ['gemini-4', { sampling: false, minimumThinking: low }],
  ['gemini-3.8-flash', { sampling: false, minimumThinking: low }],
  ['gemini-3.7-flash', { sampling: false, minimumThinking: low }],
  ['gemini-3.6-flash', { sampling: false, minimumThinking: minimal }],
  ['gemini-3.5-flash-lite', { sampling: false, minimumThinking: minimal }],
  ['gemini-3.5-flash', { sampling: true, minimumThinking: minimal }],
  ['gemini-3.1-pro', { sampling: true, minimumThinking: low }],
  ['gemini-3.1-flash-lite', { sampling: true, minimumThinking: minimal }],
  ['gemini-3-flash', { sampling: true, minimumThinking: minimal }],
  ['gemini-2.5-pro', { sampling: true, minimumThinking: { thinkingBudget: 128 }, byBudget: true }],
  ['gemini-2.5', { sampling: true, minimumThinking: { thinkingBudget: 0 }, byBudget: true }],
]

/** An unknown model is sent nothing that it could reject. */
const unknown: ModelRules = { sampling: false, minimumThinking: undefined }

export function findRules(model: string): ModelRules {
  return rulesByPrefix.find(([prefix]) => model.startsWith(prefix))?.[1] ?? unknown
}

/** The budgets that Google's own interface for OpenAI clients sends: https://ai.google.dev/gemini-api/docs/openai */
const budgets = { low: 1_024, medium: 8_192, high: 24_576 } as const

const levels = { minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH' } as const

type KnownEffort = keyof typeof levels

/** The nearest effort that a model has. */
export function nearestEffort(
  { minimumThinking, byBudget }: ModelRules,
  effort: Exclude<ReasoningEffort, 'none'>,
): KnownEffort {
  if (effort === 'xhigh' || effort === 'max') return 'high'
  return effort === 'minimal' && (byBudget || minimumThinking?.thinkingLevel !== 'MINIMAL') ? 'low' : effort
}

/** @param effort default: the minimum of the model, as with `none` */
export function chooseThinking(rules: ModelRules, effort: ReasoningEffort = 'none'): Thinking | undefined {
  const { minimumThinking, byBudget } = rules
  if (!minimumThinking || effort === 'none') return minimumThinking
  const nearest = nearestEffort(rules, effort)
  return byBudget && nearest !== 'minimal' ? { thinkingBudget: budgets[nearest] } : { thinkingLevel: levels[nearest] }
}

/** Whether a model is of Gemini 3 or later, which sign their function calls and take images and files in the results. */
export function isGemini3(model: string): boolean {
  return /^gemini-(?![12][.-])/.test(model)
}
