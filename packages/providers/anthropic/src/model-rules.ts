/** How much a model thinks, from its API's `output_config.effort`. */
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** What a model accepts (Claude docs: "Troubleshooting thinking" and the migration guides). */
export interface ModelRules {
  /** Whether it supports `temperature` and `top_p`; other models reject any value but the default. */
  readonly sampling: boolean
  /**
   * The minimum of thinking: `none` if it thinks only on request, `disabled` or `between_tools` if thinking must be
   * turned off so, `low` if it always thinks and low is its lowest effort.
   */
  readonly minimumThinking: 'none' | 'disabled' | 'between_tools' | 'low'
  /** Whether it supports `effort`. */
  readonly effort: boolean
}

/** By prefix of the id; the first match applies. */
const rules: readonly (readonly [prefix: string, ModelRules])[] = [
  ['claude-sonnet-5-5', { sampling: false, minimumThinking: 'between_tools', effort: true }],
  ['claude-opus-5-5', { sampling: false, minimumThinking: 'low', effort: true }],
  ['claude-haiku-5-5', { sampling: false, minimumThinking: 'disabled', effort: true }],
  ['claude-fable-', { sampling: false, minimumThinking: 'low', effort: true }],
  ['claude-mythos-', { sampling: false, minimumThinking: 'low', effort: true }],
  ['claude-opus-5', { sampling: false, minimumThinking: 'disabled', effort: true }],
  ['claude-sonnet-5', { sampling: false, minimumThinking: 'disabled', effort: true }],
  ['claude-opus-4-8', { sampling: false, minimumThinking: 'disabled', effort: true }],
  ['claude-opus-4-7', { sampling: false, minimumThinking: 'disabled', effort: true }],
  ['claude-opus-4-6', { sampling: true, minimumThinking: 'none', effort: true }],
  ['claude-sonnet-4-6', { sampling: true, minimumThinking: 'none', effort: true }],
  ['claude-opus-4', { sampling: true, minimumThinking: 'none', effort: false }],
  ['claude-sonnet-4', { sampling: true, minimumThinking: 'none', effort: false }],
  ['claude-haiku-4', { sampling: true, minimumThinking: 'none', effort: false }],
  ['claude-3', { sampling: true, minimumThinking: 'none', effort: false }],
]

/** An unknown model is sent nothing that it could reject. */
const unknown: ModelRules = { sampling: false, minimumThinking: 'none', effort: false }

/** The thinking settings of a request; missing ones are not sent. */
export interface Thought {
  readonly type?: 'adaptive' | 'disabled' | 'between_tools'
  readonly effort?: Effort
}

/** @param effort default: the minimum of the model. A model without efforts thinks as little as it can. */
export function thoughtOf({ minimumThinking, effort: takesEffort }: ModelRules, effort: Effort | undefined): Thought {
  if (effort && takesEffort) return { type: 'adaptive', effort }
  if (minimumThinking === 'none') return {}
  return minimumThinking === 'low' ? { effort: 'low' } : { type: minimumThinking }
}

export function rulesOf(model: string): ModelRules {
  return rules.find(([prefix]) => model.startsWith(prefix))?.[1] ?? unknown
}
