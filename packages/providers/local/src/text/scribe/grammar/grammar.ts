/** A reference such as `{idea, 5 times}`: the name of a rule or slot, and how it is to be put. */
export interface Reference {
  readonly name: string
  /** Left out, not an obstacle, where nothing can stand in its place: `{?reason}`. */
  readonly optional: boolean
  readonly how: How | undefined
}

export type How =
  | { readonly type: 'form'; readonly form: Form }
  /** `5 times`: as often as the prompt asks for, else 5. No item comes twice. */
  | { readonly type: 'asked'; readonly times: number }
  /** `about 3`: in a row, fewer or more with the length asked for. */
  | { readonly type: 'about'; readonly times: number }
  /** `exactly 3`: no item comes twice, whatever the length. */
  | { readonly type: 'exactly'; readonly times: number }
  /** `each`: every value of a slot that holds a list. */
  | { readonly type: 'each' }
  /** `same`: what was said the first time that this rule was asked for its `same`. */
  | { readonly type: 'same' }
  /** `5 syllables`: of all that the rule can say, something of that meter. */
  | { readonly type: 'syllables'; readonly syllables: number }

export const forms = ['capital', 'title'] as const
export type Form = (typeof forms)[number]

export type Part = string | Reference

export interface Line {
  /** The beginning of each item of a list: `- `, `1. `. */
  readonly bullet: string
  readonly parts: readonly Part[]
}

export type Condition =
  | { readonly type: 'tone'; readonly tone: string; readonly present: boolean }
  | { readonly type: 'slot'; readonly name: string; readonly present: boolean }

export interface Alternative {
  readonly conditions: readonly Condition[]
  readonly lines: readonly Line[]
  /** The words that it is sure to say, in lower case. */
  readonly words: readonly string[]
}

/** From each rule's name to what it may say, the likeliest first. */
export type Grammar = ReadonlyMap<string, readonly Alternative[]>

export function references(alternative: Alternative): Reference[] {
  return alternative.lines.flatMap((line) => line.parts.filter((part) => typeof part !== 'string'))
}
