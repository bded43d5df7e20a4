import { parseObject } from './conversation/parse-object.ts'
import type { Settings } from './playground-state.ts'

interface Common {
  /** The name on the wire. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** Why the model does not take it. */
  readonly unavailable?: string | undefined
}

export type Parameter = Common &
  (
    | {
        readonly kind: 'range'
        readonly min: number
        readonly max: number
        readonly step: number
        /** Where the slider starts. */
        readonly initial: number
        /** The default that applies while no value is set. */
        readonly unsetLabel: string
      }
    | { readonly kind: 'integer' }
    | { readonly kind: 'json'; readonly placeholder: string }
    | { readonly kind: 'text'; readonly placeholder: string }
    | { readonly kind: 'lines' }
    | { readonly kind: 'flag'; readonly initial: boolean; readonly apiDefault: boolean }
    | { readonly kind: 'choice'; readonly options: readonly string[]; readonly initial: string }
    | { readonly kind: 'choices'; readonly options: readonly string[] }
  )

/** The traits of a model that the parameters depend on. Absent while the model is unknown. */
export interface ModelTraits {
  readonly id: string
  readonly maxTokens?: number | undefined
  readonly seed: boolean
  readonly streaming: boolean
  readonly chat: boolean
  readonly tools: boolean
  readonly vision: boolean
  readonly structured: boolean
  readonly reasoning: boolean
  readonly sizes?: readonly string[] | undefined
  /** The languages that an analyzer supports. A text model supports every language. */
  readonly languages?: readonly string[] | undefined
}

/** The parameters of `POST /generate`. */
export function textParameters(model: ModelTraits | undefined): readonly Parameter[] {
  const ofProvider = { unsetLabel: 'The provider’s default' } as const
  const penalty = { kind: 'range', min: -2, max: 2, step: 0.1, initial: 0, ...ofProvider } as const
  const maxTokens = model?.maxTokens ?? 4096
  return [
    {
      kind: 'flag',
      name: 'stream',
      label: 'Stream',
      initial: true,
      apiDefault: false,
      hint:
        model?.streaming === false ? 'This model sends its text in one piece.' : 'Show the text as it is generated.',
    },
    {
      kind: 'range',
      name: 'max_tokens',
      label: 'Max tokens',
      min: 1,
      max: maxTokens,
      step: 1,
      initial: Math.min(1_000, maxTokens),
      unsetLabel: 'The model’s maximum',
    },
    {
      kind: 'choice',
      name: 'reasoning',
      label: 'Reasoning effort',
      options: ['default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
      initial: 'default',
      hint: 'The nearest effort that the model has is used.',
      unavailable: model?.reasoning === false ? `${model.id} does not reason.` : undefined,
    },
    {
      kind: 'range',
      name: 'temperature',
      label: 'Temperature',
      min: 0,
      max: 2,
      step: 0.1,
      initial: 0.7,
      ...ofProvider,
      hint: '0 always takes the most likely token.',
    },
    {
      kind: 'range',
      name: 'top_p',
      label: 'Top P',
      min: 0,
      max: 1,
      step: 0.05,
      initial: 1,
      ...ofProvider,
      hint: 'Considers only the most likely tokens.',
    },
    { ...penalty, name: 'frequency_penalty', label: 'Frequency penalty', hint: 'Against tokens that appear often.' },
    { ...penalty, name: 'presence_penalty', label: 'Presence penalty', hint: 'Against tokens that have appeared.' },
    seedParameter(model),
    {
      kind: 'lines',
      name: 'stop',
      label: 'Stop sequences',
      hint: 'Up to 4, one on each line. Write \\n for a line break.',
    },
    {
      kind: 'json',
      name: 'provider_options',
      label: 'Provider options',
      placeholder: '{"anthropic": {"top_k": 40}}',
      hint: 'Fields of a provider’s own API, by provider id.',
    },
    cacheParameter,
  ]
}

/** The parameters of `POST /generate/image`. */
export function imageParameters(model: ModelTraits | undefined): readonly Parameter[] {
  const sizes = model?.sizes ?? ['1024x1024']
  const initial = sizes.includes('1024x1024') ? '1024x1024' : (sizes[0] ?? '1024x1024')
  return [
    { kind: 'choice', name: 'size', label: 'Size', options: sizes, initial },
    { kind: 'choice', name: 'quality', label: 'Quality', options: ['standard', 'hd'], initial: 'standard' },
    { kind: 'choice', name: 'style', label: 'Style', options: ['natural', 'vivid'], initial: 'natural' },
    seedParameter(model),
    cacheParameter,
  ]
}

const tasks = ['sentiment', 'entities', 'keywords'] as const

/** The parameters of `POST /analyze`. */
export function analysisParameters(model: ModelTraits | undefined): readonly Parameter[] {
  const language = { name: 'language', label: 'Language' }
  return [
    { kind: 'choices', name: 'tasks', label: 'Tasks', options: tasks },
    model?.languages
      ? { ...language, kind: 'choice', options: model.languages, initial: 'en' }
      : { ...language, kind: 'text', placeholder: 'en', hint: 'An ISO 639-1 code, such as en or de.' },
    cacheParameter,
  ]
}

/** The fields of a request. One that has the default of the API is left out. */
export function toFields(parameters: readonly Parameter[], settings: Settings): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const parameter of parameters) {
    const value = parameter.unavailable === undefined ? toField(parameter, settings[parameter.name]) : undefined
    if (value !== undefined) fields[parameter.name] = value
  }
  return fields
}

function toField(parameter: Parameter, text: string | undefined): unknown {
  switch (parameter.kind) {
    case 'flag': {
      const value = text === undefined ? parameter.initial : text === 'true'
      return value === parameter.apiDefault ? undefined : value
    }
    case 'choices':
      return parameter.options.filter((option) => isChosen(text, option))
    case 'choice':
      if (parameter.name === 'reasoning') return text === undefined ? undefined : { effort: text }
      // The first size of a model may differ from the default of the API.
      return text ?? (parameter.name === 'size' ? parameter.initial : undefined)
    case 'lines':
      return text
        ?.split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replaceAll('\\n', '\n'))
    case 'json':
      return text === undefined ? undefined : jsonObject(text)
    case 'range':
    case 'integer':
      return text === undefined ? undefined : Number(text)
    case 'text':
      return text
  }
}

function jsonObject(text: string): object | undefined {
  const parsed = parseObject(text)
  return 'value' in parsed ? parsed.value : undefined
}

/** Why a value cannot be sent: it is not a JSON object. */
export function findIssue(parameter: Parameter, text: string | undefined): string | undefined {
  if (parameter.kind !== 'json' || text === undefined) return undefined
  const parsed = parseObject(text)
  return 'issue' in parsed ? parsed.issue : undefined
}

/** Whether an option of a choice of several is chosen. All are at first. */
export function isChosen(text: string | undefined, option: string): boolean {
  return text === undefined || text.split(',').includes(option)
}

function seedParameter(model: ModelTraits | undefined): Parameter {
  return {
    kind: 'integer',
    name: 'seed',
    label: 'Seed',
    hint: 'Repeats a result of the same request.',
    unavailable: model?.seed === false ? `${model.id} does not support a seed.` : undefined,
  }
}

const cacheParameter: Parameter = {
  kind: 'flag',
  name: 'cache',
  label: 'Response cache',
  initial: true,
  apiDefault: true,
  hint: 'Allow a cached response, if the operator has enabled caching.',
}
