import { type Issue, invalidRequest } from '../../runtime/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { clip, listNames, maxNameLength, nearest } from '../../runtime/schema/names.ts'
import type { RegistryView } from '../catalog/registry.ts'
import type { AnalysisTask, ProviderAnalyzer, TextModel } from '../model.ts'
import type { AnalyzerTarget, ModelRoute, Route } from '../routing/route.ts'

export interface AnalyzerQuery {
  readonly tasks: readonly AnalysisTask[]
  /** ISO 639-1. */
  readonly language: string
  /** The id of an analyzer or a text model, alone or as `provider/id`. Default: the first analyzer that supports the tasks. */
  readonly model?: string | undefined
}

/** The route of an analysis: an analyzer, or a text model that returns JSON. */
export type AnalysisRoute =
  | { readonly kind: 'analyzer'; readonly name: string; readonly route: Route<AnalyzerTarget> }
  | { readonly kind: 'model'; readonly name: string; readonly route: ModelRoute<TextModel> }

/**
 * Finds an analyzer that supports all tasks in the language. Throws `INVALID_REQUEST` for an unknown analyzer or a model
 * that cannot analyze (`model`), and for a language that no analyzer supports (`language`); throws `PROVIDER_UNAVAILABLE`
 * if the provider of the model is unavailable.
 *
 * @param fallback the text model to use if no analyzer supports the tasks and the query names no model
 */
export function findAnalyzer(registry: RegistryView, query: AnalyzerQuery, fallback?: string): AnalysisRoute {
  const all = registry.analyzers()
  if (query.model !== undefined) registry.requireAllowed(query.model)
  const named = all.filter((target) => hasName(target, query.model))
  if (query.model !== undefined && named.length === 0) return namedModel(registry, all, query.model)
  const match = named.find(({ analyzer }) => query.tasks.every((task) => supports(analyzer, task, query.language)))
  if (match) return { kind: 'analyzer', name: match.id, route: { targets: [match] } }
  if (query.model === undefined && fallback !== undefined) {
    const model = registry.find(fallback)
    if (model && isStructured(model)) return modelRoute(registry, model.id)
    registry.requireAvailable(fallback)
  }
  throw invalidRequest(unsupported(named, query))
}

function hasName({ provider, id }: AnalyzerTarget, name: string | undefined): boolean {
  return name === undefined || name === id || name === `${provider.id}/${id}`
}

function supports(analyzer: ProviderAnalyzer, task: AnalysisTask, language: string): boolean {
  return analyzer.tasks[task]?.includes(language) ?? false
}

/** Whether a model can return an analysis as JSON. */
function isStructured(model: { readonly type: string; readonly structured?: boolean }): boolean {
  return model.type === 'text' && model.structured === true
}

function namedModel(registry: RegistryView, analyzers: readonly AnalyzerTarget[], id: string): AnalysisRoute {
  const model = registry.find(id)
  if (model && isStructured(model)) return modelRoute(registry, id)
  registry.requireAvailable(id)
  const models = registry
    .models('text')
    .filter(isStructured)
    .map((each) => each.id)
  const ids = analyzers.map((analyzer) => analyzer.id)
  const known = `analyzers: ${listNames(ids)}${models.length > 0 ? `; text models that can analyze: ${listNames(models)}` : ''}`
  if (model) {
    throw invalidRequest({
      field: 'model',
      issue: `"${id}" cannot analyze: it does not support structured output; ${known}`,
    })
  }
  const near = nearest(id, [...ids, ...models])
  const advice = near === undefined ? known : `did you mean "${near}"?`
  throw invalidRequest({ field: 'model', issue: `unknown analyzer "${clip(id, maxNameLength)}"; ${advice}` })
}

function modelRoute(registry: RegistryView, id: string): AnalysisRoute {
  const route = registry.route('text', id)
  return { kind: 'model', name: route.model.id, route }
}

function unsupported(
  candidates: readonly { readonly analyzer: ProviderAnalyzer }[],
  { tasks, language }: AnalyzerQuery,
): Issue {
  const supported = (task: AnalysisTask) => [
    ...new Set(candidates.flatMap(({ analyzer }) => analyzer.tasks[task] ?? [])),
  ]
  const index = tasks.findIndex((task) => !supported(task).includes(language))
  const task = tasks[index]
  if (task === undefined) return { field: 'tasks', issue: `no analyzer supports all of these in "${language}"` }
  const languages = supported(task)
  if (languages.length === 0) return { field: `tasks[${index}]`, issue: `no analyzer supports "${task}"` }
  return {
    field: 'language',
    issue: `no analyzer supports "${language}" for ${task}; supported: ${languages.join(', ')}`,
  }
}

/** Logs a warning if the configured analysis model cannot analyze. It is no error, because lists of models change. */
export function checkAnalysisModel(registry: RegistryView, id: string | undefined, log: Log): void {
  if (id === undefined) return
  const model = registry.find(id)
  if (!model) log.warn({ analysisModel: id }, 'the analysis model is unknown')
  else if (!isStructured(model))
    log.warn({ analysisModel: id }, 'the analysis model does not support structured output')
}
