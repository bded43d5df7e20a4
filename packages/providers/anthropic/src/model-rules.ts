import type { Issue, ReasoningEffort } from '@fairlead/core/provider'
import { unsupported } from '@fairlead/provider-toolkit'
import type { MessageRequest } from './wire.ts'

/** How much a model thinks, from its API's `output_config.effort`. */
export type AnthropicEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/**
 * The settings that a model accepts (Claude docs: "Troubleshooting thinking", the migration guides, and the guides of
 * each feature).
 */
export interface ModelRules {
  /** Whether it supports `temperature` and `top_p`; other models reject any value but the default. */
  readonly sampling: boolean
  /**
   * The minimum of thinking: `none` if it thinks only on request, `disabled` or `between_tools` if thinking must be
   * turned off so, `low` if it always thinks and low is its lowest effort.
   */
  readonly minimumThinking: 'none' | 'disabled' | 'between_tools' | 'low'
  /** The highest effort below `max` that it supports, if it supports efforts. */
  readonly effort?: 'high' | 'xhigh'
  /** Whether its thinking is limited by a number of tokens instead of an effort. */
  readonly budget?: true
  /** Whether it supports the tool choices `any` and `tool`. */
  readonly forcedTools: boolean
  /** Whether it supports system messages after the first user message. */
  readonly laterSystem: boolean
}

const opus5: ModelRules = {
  sampling: false,
  minimumThinking: 'disabled',
  effort: 'xhigh',
  forcedTools: true,
  laterSystem: true,
}
const always: ModelRules = { ...opus5, minimumThinking: 'low' }
const early: ModelRules = { sampling: true, minimumThinking: 'none', forcedTools: true, laterSystem: false }

const budgeted: ModelRules = { ...early, budget: true }

/** By prefix of the id; the first match applies. */
const rulesByPrefix: readonly (readonly [prefix: string, ModelRules])[] = [
  ['claude-sonnet-5-5', { ...opus5, minimumThinking: 'between_tools', forcedTools: false }],
  ['claude-opus-5-5', { ...always, forcedTools: false }],
  ['claude-haiku-5-5', { ...opus5, laterSystem: false }],
  ['claude-fable-5-', { ...always, forcedTools: false }],
  ['claude-mythos-5-', { ...always, forcedTools: false }],
  ['claude-fable-', always],
  ['claude-mythos-5', always],
  ['claude-mythos-', { ...always, laterSystem: false }],
  ['claude-opus-5', opus5],
  ['claude-sonnet-5', { ...opus5, laterSystem: false }],
  ['claude-opus-4-8', opus5],
  ['claude-opus-4-7', { ...opus5, laterSystem: false }],
  ['claude-opus-4-6', { ...early, effort: 'high' }],
  ['claude-sonnet-4-6', { ...early, effort: 'high' }],
  ['claude-opus-4', budgeted],
  ['claude-sonnet-4', budgeted],
  ['claude-haiku-4', budgeted],
  ['claude-3-7', budgeted],
  ['claude-3', early],
]

/** The settings that Fairlead adds by itself are not sent to an unknown model, which could reject them. */
const unknown: ModelRules = { ...early, sampling: false }

export function findRules(model: string): ModelRules {
  return rulesByPrefix.find(([prefix]) => model.startsWith(prefix))?.[1] ?? unknown
}

/** Whether the effort of its thinking can be set. */
export function canThink({ effort, budget }: ModelRules): boolean {
  return effort !== undefined || budget === true
}

/** The thinking settings of a request; missing ones are not sent. */
export interface Thought {
  /** With a summary of the thoughts, which newer models leave out by default. */
  readonly thinking?: NonNullable<MessageRequest['thinking']>
  readonly effort?: AnthropicEffort
  readonly warnings: readonly Issue[]
}

/**
 * @param requested the effort of the request; null for the model's default
 * @param configured the effort of requests that set none. Default: the minimum of the model
 * @param limits of the request: its maximum of tokens, and whether it forces a tool call
 */
export function chooseThought(
  rules: ModelRules,
  requested: ReasoningEffort | null | undefined,
  configured: AnthropicEffort | undefined,
  limits: ThoughtLimits,
): Thought {
  const effort = requested ?? configured
  if (requested === null && effort === undefined) return { warnings: [] }
  const { issue, ...settings } = chooseSettings(rules, effort, limits)
  return { ...settings, warnings: requested && issue !== undefined ? [{ field: 'reasoning', issue }] : [] }
}

export interface ThoughtLimits {
  readonly maxTokens: number
  readonly isToolForced: boolean
}

interface Settings extends Pick<Thought, 'thinking' | 'effort'> {
  /** How they differ from the effort that was asked for. */
  readonly issue?: string
}

function chooseSettings(rules: ModelRules, effort: ReasoningEffort | undefined, limits: ThoughtLimits): Settings {
  if (effort === undefined || effort === 'none') return leastThought(rules)
  if (rules.budget) return chooseBudget(effort, limits)
  if (!rules.effort) return { ...leastThought(rules), issue: unsupported('reasoning').issue }
  const used = nearest(effort, rules.effort)
  const settings = { thinking: { type: 'adaptive', display: 'summarized' }, effort: used } as const
  return effort === used ? settings : { ...settings, issue: `this model has no effort "${effort}": "${used}" was used` }
}

/** The API rejects a lower budget, and one that is not below the maximum of tokens, which it is part of. */
const minBudget = 1_024
const budgets = { minimal: minBudget, low: 2_048, medium: 8_192, high: 16_384, xhigh: 32_768, max: 32_768 } as const

function chooseBudget(effort: keyof typeof budgets, { maxTokens, isToolForced }: ThoughtLimits): Settings {
  if (isToolForced) return { issue: 'cannot be combined with a forced tool call on this model and was ignored' }
  if (maxTokens <= minBudget) {
    return { issue: `needs more than ${minBudget.toLocaleString('en')} \`max_tokens\` on this model and was ignored` }
  }
  return { thinking: { type: 'enabled', budget_tokens: Math.min(budgets[effort], maxTokens - 1) } }
}

function leastThought({ minimumThinking }: ModelRules): Settings {
  if (minimumThinking === 'none') return {}
  if (minimumThinking !== 'low') return { thinking: { type: minimumThinking } }
  return { effort: 'low', issue: 'this model always reasons: its lowest effort was used' }
}

function nearest(effort: Exclude<ReasoningEffort, 'none'>, highest: 'high' | 'xhigh'): AnthropicEffort {
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' ? highest : effort
}
