export const modes = ['text', 'image', 'analysis'] as const
export type Mode = (typeof modes)[number]

/** The two columns of a comparison. Without one, there is only `a`. */
export const sides = ['a', 'b'] as const
export type Side = (typeof sides)[number]

/** The model and the parameters of a column by their names on the wire. One that is absent has the default of the API. */
export type Settings = Readonly<Record<string, string>>

/** The input of a person in a mode. */
export type Draft = { readonly prompt: string } & Readonly<Record<Side, Settings>>

export interface PlaygroundState {
  readonly mode: Mode
  readonly compare: boolean
  /** Shows texts as the model wrote them, without formatting. */
  readonly raw: boolean
  readonly drafts: Readonly<Record<Mode, Draft>>
}

export type Search = Readonly<Record<string, string>>

/** A longer prompt is not in the URL, because proxies and browsers limit its length. */
const maxPromptInUrl = 1_000

const emptyDraft: Draft = { prompt: '', a: {}, b: {} }

export const emptyState: PlaygroundState = {
  mode: 'text',
  compare: false,
  raw: false,
  drafts: { text: emptyDraft, image: emptyDraft, analysis: emptyDraft },
}

/** The state as filters of the URL: the second column's have the prefix `b.`. */
export function toSearch({ mode, compare, raw, drafts }: PlaygroundState): Search {
  const { prompt, a, b } = drafts[mode]
  return {
    ...(mode !== 'text' && { mode }),
    ...(compare && { compare: 'true' }),
    ...(raw && { raw: 'true' }),
    ...a,
    ...(compare && Object.fromEntries(Object.entries(b).map(([name, value]) => [`b.${name}`, value]))),
    ...(prompt !== '' && prompt.length <= maxPromptInUrl && { prompt }),
  }
}

/** Takes the filters of the URL into a state, which keeps the drafts of the other modes. */
export function fromSearch(search: Search, before: PlaygroundState): PlaygroundState {
  const { mode: modeText, compare, raw, prompt, ...settings } = search
  const mode = modes.find((each) => each === modeText) ?? 'text'
  const entries = Object.entries(settings)
  const a = entries.filter(([name]) => !name.startsWith('b.'))
  const b = entries.filter(([name]) => name.startsWith('b.')).map(([name, value]) => [name.slice(2), value] as const)
  const draft = {
    prompt: prompt ?? before.drafts[mode].prompt,
    a: Object.fromEntries(a),
    b: compare === 'true' ? Object.fromEntries(b) : before.drafts[mode].b,
  }
  return { mode, compare: compare === 'true', raw: raw === 'true', drafts: { ...before.drafts, [mode]: draft } }
}
