import type { FairleadConfig, RouteOptions } from '@fairlead/core'
import type { Group, LitellmDocument } from './litellm-document.ts'
import { reasonFor, usedSettings } from './litellm-reasons.ts'
import type { Notes } from './notes.ts'

/** Settings of LiteLLM that Fairlead has for each route. */
export interface RouteSettings {
  readonly strategy: NonNullable<RouteOptions['strategy']>
  /** The other models of each model, all of them imported. */
  readonly fallbacks: ReadonlyMap<string, readonly string[]>
  readonly aliases: ReadonlyMap<string, { readonly name: string; readonly path: string }>
  readonly cache: RouteOptions['cache']
}

const strategies: Readonly<Record<string, RouteSettings['strategy']>> = {
  'simple-shuffle': 'weighted',
  'usage-based-routing': 'weighted',
  'usage-based-routing-v2': 'weighted',
  'least-busy': 'fastest',
  'latency-based-routing': 'fastest',
  'cost-based-routing': 'cheapest',
}

/** A number of the document; undefined for a variable. */
export function amountOf(value: number | string | null | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export function routeSettings(
  document: LitellmDocument,
  groups: ReadonlyMap<string, Group>,
  notes: Notes,
): RouteSettings {
  const { router_settings: router } = document
  const wanted = router?.routing_strategy ?? 'simple-shuffle'
  const strategy = strategies[wanted]
  if (!strategy)
    notes.add('router_settings.routing_strategy', `Fairlead has no strategy "${wanted}"; targets have weights`)
  if (wanted.startsWith('usage-based')) {
    notes.add('router_settings.routing_strategy', 'Fairlead does not count the use of a target; targets have weights')
  }
  const aliases = Object.entries(router?.model_group_alias ?? {}).map(
    ([alias, target]) =>
      [
        alias,
        {
          name: typeof target === 'string' ? target : target.model,
          path: `router_settings.model_group_alias.${alias}`,
        },
      ] as const,
  )
  return {
    strategy: strategy ?? 'weighted',
    fallbacks: fallbacksOf(document, groups, notes),
    aliases: new Map(aliases),
    cache: cacheOf(document, notes),
  }
}

function fallbacksOf(document: LitellmDocument, groups: ReadonlyMap<string, Group>, notes: Notes) {
  const found = new Map<string, string[]>()
  const add = (name: string, others: readonly unknown[], path: string) => {
    if (!groups.has(name)) return notes.add(path, `"${name}" is no model of model_list that could be imported`)
    for (const other of others) {
      if (typeof other === 'string' && groups.has(other)) found.set(name, [...(found.get(name) ?? []), other])
      else notes.add(path, `${JSON.stringify(other)} is no model of model_list that could be imported`)
    }
  }
  const sections = { router_settings: document.router_settings, litellm_settings: document.litellm_settings }
  for (const [section, settings] of Object.entries(sections)) {
    for (const kind of ['fallbacks', 'context_window_fallbacks'] as const) {
      for (const [index, entry] of (settings?.[kind] ?? []).entries()) {
        const path = `${section}.${kind}[${index}]`
        for (const [name, others] of Object.entries(entry)) {
          if (name !== '*') add(name, others, `${path}.${name}`)
          else for (const each of groups.keys()) add(each, others, `${path}.*`)
        }
        if (kind === 'context_window_fallbacks') {
          notes.add(path, 'is used for any failure, and skipped if its context is too small as well')
        }
      }
    }
    if (settings?.content_policy_fallbacks) {
      notes.add(`${section}.content_policy_fallbacks`, 'a request whose content is refused ends there')
    }
    for (const name of settings?.default_fallbacks ? [...groups.keys()] : []) {
      if (!found.has(name)) add(name, settings?.default_fallbacks ?? [], `${section}.default_fallbacks`)
    }
  }
  return found
}

function cacheOf({ litellm_settings: settings }: LitellmDocument, notes: Notes): RouteOptions['cache'] {
  if (settings?.cache !== true) return undefined
  const { type = 'local', ttl, mode } = settings.cache_params ?? {}
  const path = 'litellm_settings.cache_params'
  if (mode === 'default_off') {
    notes.add(`${path}.mode`, 'Fairlead caches by route, not by request: add cache: { ttlMs } to routes')
    return undefined
  }
  if (type?.startsWith('redis') && !type.includes('semantic')) notes.add(path, 'set REDIS_URL for a cache in Redis')
  else if (type !== 'local') notes.add(`${path}.type`, `Fairlead has no cache of type "${type}"; it is in memory`)
  const seconds = amountOf(ttl)
  if (seconds === undefined) notes.add(`${path}.ttl`, 'is missing; responses are cached for ten minutes')
  notes.add('litellm_settings.cache', 'accounts do not share cached responses')
  return { ttlMs: Math.max(1, Math.round((seconds ?? 600) * 1_000)) }
}

/** Settings that Fairlead has for all routes, and notes about those that it lacks. */
export function globalSettings(
  document: LitellmDocument,
  notes: Notes,
): Pick<FairleadConfig, 'retries' | 'circuit' | 'timeouts' | 'defaults'> {
  const { router_settings: router, litellm_settings: settings } = document
  noteUnused(document, notes)
  const retries = amountOf(router?.num_retries) ?? amountOf(settings?.num_retries)
  if (retries !== undefined && retries > 10) notes.add('num_retries', 'is at most 10')
  const fails = amountOf(router?.allowed_fails) ?? amountOf(settings?.allowed_fails)
  if (fails !== undefined) notes.add('allowed_fails', 'Fairlead counts failures in a row, not in a minute')
  const cooldown = amountOf(router?.cooldown_time) ?? amountOf(settings?.cooldown_time)
  const timeout = amountOf(router?.timeout) ?? amountOf(settings?.request_timeout)
  const firstItem = amountOf(router?.stream_timeout)
  const attemptMs = timeout === undefined ? undefined : Math.max(1, Math.round(timeout * 1_000))
  const timeouts = {
    ...(attemptMs !== undefined && { attemptMs }),
    ...(attemptMs !== undefined && attemptMs > 600_000 && { totalMs: attemptMs }),
    ...(firstItem !== undefined && { firstItemMs: Math.max(1, Math.round(firstItem * 1_000)) }),
  }
  const circuit = {
    // LiteLLM stops calling a model after one failure more than it allows.
    ...(fails !== undefined && { failures: Math.max(1, Math.round(fails) + 1) }),
    ...(cooldown !== undefined && { openMs: Math.max(1, Math.round(cooldown * 1_000)) }),
  }
  const defaults = userDefaults(document, notes)
  return {
    ...(defaults && { defaults }),
    ...(retries !== undefined && { retries: { perTarget: Math.min(10, Math.max(0, Math.round(retries))) } }),
    ...(Object.keys(circuit).length > 0 && { circuit }),
    ...(Object.keys(timeouts).length > 0 && { timeouts }),
  }
}

/** The periods that LiteLLM writes as durations. */
const periods: Readonly<Record<string, 'day' | 'week' | 'month'>> = {
  '24h': 'day',
  '1d': 'day',
  '7d': 'week',
  '1w': 'week',
  '30d': 'month',
  '1mo': 'month',
}

/** The budget of new users. */
function userDefaults({ litellm_settings: settings }: LitellmDocument, notes: Notes): FairleadConfig['defaults'] {
  const { default_internal_user_params: params } = settings ?? {}
  const path = 'litellm_settings.default_internal_user_params'
  for (const name of Object.keys(params ?? {}).filter((each) => !['max_budget', 'budget_duration'].includes(each))) {
    notes.add(`${path}.${name}`, reasonFor(name))
  }
  const budget = params?.max_budget ?? settings?.max_internal_user_budget
  const budgetUsd = amountOf(budget)
  if (budget === undefined || budget === null) return undefined
  if (budgetUsd === undefined || budgetUsd < 0) {
    notes.add('litellm_settings', `the budget of new users is "${budget}", not an amount: set defaults.budgetUsd`)
    return undefined
  }
  const duration = params?.budget_duration ?? settings?.internal_user_budget_duration
  const field = params?.budget_duration ? `${path}.budget_duration` : 'litellm_settings.internal_user_budget_duration'
  if (!duration) return { budgetUsd }
  const budgetPeriod = periods[duration]
  if (!budgetPeriod) {
    notes.add(field, `Fairlead has budgets of a day, a week, or a month, not of "${duration}": set defaults.budgetUsd`)
    return undefined
  }
  notes.add(field, `budgets begin anew with each ${budgetPeriod} in UTC`)
  return { budgetUsd, budgetPeriod }
}

function noteUnused(document: LitellmDocument, notes: Notes): void {
  for (const [section, settings] of Object.entries(document)) {
    if (section === 'model_list' || section === 'credential_list') continue
    const used = usedSettings[section]
    if (!used || typeof settings !== 'object' || settings === null) {
      notes.add(section, reasonFor(section))
      continue
    }
    for (const [name, value] of Object.entries(settings)) {
      if (!used.includes(name) && value !== null && value !== false) notes.add(`${section}.${name}`, reasonFor(name))
    }
  }
  if (document.litellm_settings?.drop_params === false) {
    notes.add('litellm_settings.drop_params', 'Fairlead always leaves out settings that a model lacks, with a warning')
  }
}
