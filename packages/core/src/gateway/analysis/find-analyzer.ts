import { type Issue, invalidRequest } from '../../runtime/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { clip, maxNameLength } from '../../runtime/names.ts'
import type { Registry } from '../catalog/registry.ts'
import type { AnalysisTask, Analyzer, TextModel } from '../model.ts'
import type { AnalyzerTarget, ModelRoute, Route } from '../routing/route.ts'

export interface AnalyzerQuery {
  readonly tasks: readonly AnalysisTask[]
  /** ISO 639-1. */
  readonly language: string
  /** An analyzer's id, alone or as `provider/id`, or a text model's. Default: the first analyzer that performs the tasks. */
  readonly model?: string | undefined
}

/** Who analyzes a text: something made for it, or a text model that is asked to. */
export type AnalysisRoute =
  | { readonly by: 'analyzer'; readonly name: string; readonly route: Route<AnalyzerTarget> }
  | { readonly by: 'model'; readonly name: string; readonly route: ModelRoute<TextModel> }

/**
 * Who performs all tasks in the language. Refused, with the field at fault: an unknown analyzer, a model that can't
 * (`model`), and a language that no analyzer reads for a task (`language`). Who is away for the moment is
 * `PROVIDER_UNAVAILABLE`.
 *
 * @param fallback the text model that is asked where no analyzer can and the query names none
 */
export function findAnalyzer(registry: Registry, query: AnalyzerQuery, fallback?: string): AnalysisRoute {
  const all = registry.analyzers
  const named = all.filter((target) => isCalled(target, query.model))
  if (query.model !== undefined && named.length === 0) return namedModel(registry, all, query.model)
  const able = named.find(({ analyzer }) => query.tasks.every((task) => reads(analyzer, task, query.language)))
  if (able) return { by: 'analyzer', name: able.id, route: { targets: [able] } }
  if (query.model === undefined && fallback !== undefined) {
    const model = registry.find(fallback)
    if (model && isStructured(model)) return byModel(registry, model.id)
    registry.requireAvailable(fallback)
  }
  throw invalidRequest(unsupported(named, query))
}

function isCalled({ provider, id }: AnalyzerTarget, name: string | undefined): boolean {
  return name === undefined || name === id || name === `${provider.id}/${id}`
}

function reads(analyzer: Analyzer, task: AnalysisTask, language: string): boolean {
  return analyzer.tasks[task]?.includes(language) ?? false
}

/** Whether a model can be asked for an analysis. */
function isStructured(model: { readonly type: string; readonly structured?: boolean }): boolean {
  return model.type === 'text' && model.structured === true
}

function namedModel(registry: Registry, analyzers: readonly AnalyzerTarget[], id: string): AnalysisRoute {
  const model = registry.find(id)
  if (model && isStructured(model)) return byModel(registry, id)
  registry.requireAvailable(id)
  const fault = model
    ? `"${id}" does not answer in JSON, so it can't analyze`
    : `unknown analyzer "${clip(id, maxNameLength)}"`
  const known = `analyzers: ${listed(analyzers.map((analyzer) => analyzer.id))}`
  const models = registry.models('text').filter(isStructured)
  const others = models.length > 0 ? `; text models that can analyze: ${listed(models.map((other) => other.id))}` : ''
  throw invalidRequest({ field: 'model', issue: `${fault}; ${known}${others}` })
}

function byModel(registry: Registry, id: string): AnalysisRoute {
  const route = registry.route('text', id)
  return { by: 'model', name: route.model.id, route }
}

const maxListed = 12

function listed(ids: readonly string[]): string {
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''
  return (ids.slice(0, maxListed).join(', ') || 'none') + more
}

function unsupported(
  candidates: readonly { readonly analyzer: Analyzer }[],
  { tasks, language }: AnalyzerQuery,
): Issue {
  const supported = (task: AnalysisTask) => [
    ...new Set(candidates.flatMap(({ analyzer }) => analyzer.tasks[task] ?? [])),
  ]
  const index = tasks.findIndex((task) => !supported(task).includes(language))
  const task = tasks[index]
  if (task === undefined) return { field: 'tasks', issue: `no analyzer performs all of these in "${language}"` }
  const languages = supported(task)
  if (languages.length === 0) return { field: `tasks[${index}]`, issue: `no analyzer performs "${task}"` }
  return {
    field: 'language',
    issue: `no analyzer reads "${language}" for ${task}; supported: ${languages.join(', ')}`,
  }
}

/** Tells the operator of a model that was named for analyses and can't do them. It may yet come: lists of models change. */
export function checkAnalysisModel(registry: Registry, id: string | undefined, log: Log): void {
  if (id === undefined) return
  const model = registry.find(id)
  if (!model) log.warn({ analysisModel: id }, 'there is no such model to analyze with')
  else if (!isStructured(model))
    log.warn({ analysisModel: id }, 'the model does not answer in JSON, so it can not analyze')
}
