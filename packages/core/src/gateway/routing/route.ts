import { type Issue, invalidRequest } from '../../runtime/errors.ts'
import type { NativeRequest } from '../../runtime/run/run-options.ts'
import { clip, maxNameLength } from '../../runtime/schema/names.ts'
import { type ProviderOptions } from '../messages/message.ts'
import { isObject } from '../../runtime/json.ts'
import type { ProviderAnalyzer, Model, ModelUse, TextModel } from '../model.ts'
import type { Provider } from '../provider.ts'
import type { Strategy, Timeouts } from './route-options.ts'

/** A model or analyzer of a provider. */
export interface Target {
  readonly provider: Provider
  /** The id within the provider. */
  readonly id: string
  /** Absent for an analyzer. */
  readonly model?: Model
  /** Whether the provider does not list the model. All such targets of a provider share one state. Default: false. */
  readonly unlisted?: boolean
  /** The weight of the target on a weighted route. Default: 1. */
  readonly weight?: number
}

export interface ModelTarget<Kind extends Model> extends Target {
  readonly model: ListedModel<Kind>
}

export interface AnalyzerTarget extends Target {
  readonly analyzer: ProviderAnalyzer
}

export interface Route<At extends Target> {
  readonly targets: readonly [At, ...At[]]
  /** The route or the alias that was asked for. Default: the model itself was. */
  readonly name?: string
  /** Default: `fallback`. */
  readonly strategy?: Strategy
  /** Default: the global timeouts. */
  readonly timeouts?: Timeouts
  /** How long responses are cached. Default: not at all. */
  readonly cache?: { readonly ttlMs: number }
}

export interface ModelRoute<Kind extends Model> extends Route<ModelTarget<Kind>> {
  /** The model as callers see it, whichever target responds. */
  readonly model: ListedModel<Kind>
  /** Warnings about the id in the request. Default: none. */
  readonly warnings?: readonly Issue[]
}

/** A model with its public id and its provider. */
export type ListedModel<Kind extends Model = Model> = Kind & { readonly provider: string }

export function modelUse(model: Model): ModelUse {
  return model.type === 'text' && model.embedding ? 'embedding' : model.type
}

/**
 * Whether a provider speaks the API of a client, and so gets the client's own fields.
 *
 * @param model without the provider's id. Default: any of its models.
 */
export function supportsDialect(provider: Provider, dialect: string, model?: string): boolean {
  const own = provider.dialects?.find((each) => each === dialect)
  return own !== undefined && (model === undefined || provider.takesDialect?.(own, model) !== false)
}

/** The route with the targets that can answer as asked. Rejects the request if there are none. */
export function narrowed<Of extends Model>(
  route: ModelRoute<Of>,
  canAnswer: (target: ModelTarget<Of>) => boolean,
  issue: Issue,
): ModelRoute<Of> {
  const [first, ...others] = route.targets.filter(canAnswer)
  if (!first) throw invalidRequest(issue)
  return { ...route, targets: [first, ...others] }
}

/**
 * Only providers whose own tools the request names can answer it as asked. With `adapt`, other models can answer without
 * these tools if the request has functions, and does not force one of these tools.
 */
export function withToolsOf(
  providerOptions: ProviderOptions,
  { adapt, tools: functions = [] }: { readonly adapt: boolean; readonly tools?: readonly unknown[] | undefined },
  route: ModelRoute<TextModel>,
): ModelRoute<TextModel> {
  const wanted = Object.entries(providerOptions).filter(([, { tools, tool_choice: choice }]) => {
    const isOptional = adapt && functions.length > 0 && choice === undefined
    return Array.isArray(tools) && tools.length > 0 && !isOptional
  })
  const [first] = wanted
  if (!first) return route
  const [id, { tools }] = first
  return narrowed(route, ({ provider }) => wanted.some(([name]) => name === provider.id), {
    field: `providerOptions.${id}.tools`,
    issue: `"${route.model.id}" cannot run ${typesOf(tools as unknown[])}: use a model of "${id}", or functions of your own`,
  })
}

/** Every model takes so many. */
const usualStopSequences = 4

/** Only models that take all stop sequences can answer as asked. */
export function withStopsOf(stop: readonly string[], route: ModelRoute<TextModel>): ModelRoute<TextModel> {
  if (stop.length <= usualStopSequences) return route
  const limitOf = ({ model }: ModelTarget<TextModel>) => model.maxStopSequences ?? usualStopSequences
  const limit = Math.max(...route.targets.map(limitOf))
  const issue = { field: 'stop', issue: `must have at most ${limit} entries` }
  return narrowed(route, (target) => stop.length <= limitOf(target), issue)
}

/** Only providers of the client's dialect can answer as asked, if a field that they alone know changes the answer. */
export function withDialectOf<Of extends Model>(
  native: NativeRequest | undefined,
  route: ModelRoute<Of>,
): ModelRoute<Of> {
  const field = native?.required?.[0]
  if (!native || field === undefined) return route
  const { provider } = route.targets[0]
  const fix = native.fixes?.[field]
  const issue = `is not supported by "${route.model.id}" of the provider "${provider.id}"${fix ? `: ${fix}` : ''}`
  return narrowed(route, ({ provider: each, id }) => supportsDialect(each, native.dialect, id), { field, issue })
}

function typesOf(tools: readonly unknown[]): string {
  const types = tools.map((tool) => (isObject(tool) && 'type' in tool ? String(tool['type']) : 'tools'))
  return types
    .slice(0, maxListed)
    .map((type) => clip(type, maxNameLength))
    .join(', ')
}

const maxListed = 12
