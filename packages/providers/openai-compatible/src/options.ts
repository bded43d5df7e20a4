import { requireOptions, type UnknownFields } from '@fairlead/core/provider'
import { httpOptionNames, type HttpProviderOptions, type ModelChoice } from '@fairlead/provider-toolkit'
import { type ServerDialect, readDialect } from './dialect.ts'
import { isOwnAddress, type Preset, type PresetName, presets } from './presets.ts'
import { type OpenaiEffort, efforts } from './model-rules.ts'

/** `id` and `baseUrl` are required without a preset. */
export interface OpenaiCompatibleOptions extends HttpProviderOptions {
  /** A well-known server; its settings are the defaults of the other options. */
  readonly preset?: PresetName | undefined
  /** Default: the preset's name. */
  readonly id?: string | undefined
  /**
   * Your own list of models; `fetched` for those that the server lists; `catalog` for those that the catalog has of the
   * preset; `any` to pass every other id on, too. Default: the models of the catalog and of the server's list. With an
   * address other than the preset's own, the catalog's are left out if the server does not list them.
   */
  readonly models?: ModelChoice['models']
  /** How much reasoning models reason. Default: the minimum of each model, because reasoning tokens count in `maxTokens`. */
  readonly effort?: OpenaiEffort | undefined
  /** Overrides the preset's dialect field by field. */
  readonly dialect?: ServerDialect | undefined
  /** Fields and hosted tools of the API that cost more, and that callers may use: `service_tier`, `web_search`. Default: none. */
  readonly allow?: readonly string[] | undefined
  /**
   * Whether fields that Fairlead does not know are forwarded from OpenAI's clients to OpenAI, or rejected with 400.
   * Default: `forward`.
   */
  readonly unknownFields?: UnknownFields | undefined
}

const optionNames: readonly (keyof OpenaiCompatibleOptions)[] = [
  ...httpOptionNames,
  'preset',
  'id',
  'models',
  'effort',
  'dialect',
  'allow',
  'unknownFields',
]

/** @throws TypeError that names the invalid option */
export function readOptions(options: OpenaiCompatibleOptions) {
  requireOptions(options, optionNames, "openaiCompatible({ preset: 'openai', apiKey: '…' })")
  const preset: Preset | undefined = options.preset === undefined ? { name: options.id ?? '' } : presets[options.preset]
  if (!preset) {
    throw new TypeError(`Unknown preset "${options.preset}"; presets are: ${Object.keys(presets).join(', ')}`)
  }
  const id = options.id ?? options.preset
  if (id === undefined) throw new TypeError('openaiCompatible needs an id or a preset')
  const baseUrl = options.baseUrl ?? preset.baseUrl
  if (baseUrl === undefined) throw new TypeError(`${id}: baseUrl is required`)
  const { effort } = options
  if (effort !== undefined && !efforts.includes(effort)) {
    throw new TypeError(`${id}: effort must be one of ${efforts.join(', ')}`)
  }
  // A proxy of a publisher's models may have chat completions alone.
  const isProxy = preset.publisher !== undefined && !isOwnAddress(baseUrl, preset)
  const dialect = { ...preset.dialect, ...(isProxy && { responses: false }), ...options.dialect }
  const lacksResponses = isProxy && preset.dialect?.responses === true && options.dialect?.responses === undefined
  const notices = lacksResponses ? [chatOnly(baseUrl)] : []
  return { id, preset, baseUrl, effort, dialect: readDialect(id, dialect), notices }
}

function chatOnly(baseUrl: string): string {
  return (
    `requests of the Responses API go to ${URL.parse(baseUrl)?.host ?? baseUrl} as chat completions, and lose hosted tools, ` +
    'encrypted reasoning, and its own items: set dialect.responses to true if this server has the Responses API, else to false'
  )
}
