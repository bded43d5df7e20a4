import type { FairleadConfig } from '@fairlead/server'
import type { RouteOptions } from '@fairlead/core'
import { readAmount, defined, milliseconds, own, toRetries, toTimeouts } from './fields.ts'
import { type LitellmDocument, periods, strategies } from './litellm-fields.ts'
import type { Notes } from './notes.ts'

export function readStrategy({ router_settings: router }: LitellmDocument, notes: Notes) {
  const wanted = router?.routing_strategy ?? 'simple-shuffle'
  const strategy = own(strategies, wanted)
  const note = (reason: string) => notes.add('router_settings.routing_strategy', reason)
  if (!strategy) note(`Fairlead has no strategy "${wanted}"; targets have weights`)
  if (wanted.startsWith('usage-based')) note('Fairlead does not count the use of a target; targets have weights')
  return strategy ?? 'weighted'
}

/** The other models of each model, all of them imported. */
export function readFallbacks(
  document: LitellmDocument,
  groups: ReadonlyMap<string, unknown>,
  notes: Notes,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const add = (name: string, others: readonly unknown[], path: string) => {
    if (!groups.has(name)) return notes.add(path, notImported(name))
    for (const other of others) {
      if (typeof other === 'string' && groups.has(other)) found.set(name, [...(found.get(name) ?? []), other])
      else notes.add(path, notImported(other))
    }
  }
  for (const section of ['router_settings', 'litellm_settings'] as const) {
    const settings = document[section]
    for (const kind of ['fallbacks', 'context_window_fallbacks'] as const) {
      for (const [index, entry] of (settings?.[kind] ?? []).entries()) {
        const path = `${section}.${kind}[${index}]`
        for (const [name, others] of Object.entries(entry)) {
          for (const each of name === '*' ? groups.keys() : [name]) add(each, others, `${path}.${name}`)
        }
        if (kind === 'context_window_fallbacks') {
          notes.add(path, 'is used for any failure, and skipped if its context is too small as well')
        }
      }
    }
    if (settings?.content_policy_fallbacks) {
      notes.add(`${section}.content_policy_fallbacks`, 'a request whose content is refused ends there')
    }
    for (const name of settings?.default_fallbacks ? groups.keys() : []) {
      if (!found.has(name)) add(name, settings?.default_fallbacks ?? [], `${section}.default_fallbacks`)
    }
  }
  return found
}

export function notImported(name: unknown): string {
  return `${JSON.stringify(name)} is no model of model_list that could be imported`
}

export function readCache({ litellm_settings: settings }: LitellmDocument, notes: Notes): RouteOptions['cache'] {
  if (settings?.cache !== true) return undefined
  const { type = 'local', ttl, mode } = settings.cache_params ?? {}
  const path = 'litellm_settings.cache_params'
  if (mode === 'default_off') {
    notes.add(`${path}.mode`, 'Fairlead caches by route, not by request: add cache: { ttlMs } to routes')
    return undefined
  }
  if (type?.startsWith('redis') && !type.includes('semantic')) notes.add(path, 'set REDIS_URL for a cache in Redis')
  else if (type !== 'local') notes.add(`${path}.type`, `Fairlead has no cache of type "${type}"; it is in memory`)
  const seconds = readAmount(ttl)
  if (seconds === undefined) notes.add(`${path}.ttl`, 'is missing; responses are cached for ten minutes')
  notes.add('litellm_settings.cache', 'accounts do not share cached responses')
  return { ttlMs: milliseconds(seconds ?? 600)! }
}

/** Settings that Fairlead has for all routes. */
export function globalSettings(
  { router_settings: router, litellm_settings: settings }: LitellmDocument,
  notes: Notes,
): Pick<FairleadConfig, 'retries' | 'circuit' | 'timeouts' | 'defaults'> | undefined {
  if (settings?.drop_params === false) {
    notes.add('litellm_settings.drop_params', 'Fairlead always leaves out settings that a model lacks, with a warning')
  }
  const either = (name: 'num_retries' | 'allowed_fails' | 'cooldown_time') =>
    readAmount(router?.[name]) ?? readAmount(settings?.[name])
  const retries = either('num_retries')
  if (retries !== undefined && retries > 10) notes.add('num_retries', 'is at most 10')
  const fails = either('allowed_fails')
  if (fails !== undefined) notes.add('allowed_fails', 'Fairlead counts failures in a row, not in a minute')
  return defined({
    defaults: userDefaults(settings, notes),
    retries: toRetries(retries),
    circuit: defined({
      // LiteLLM stops calling a model after one failure more than it allows.
      failures: fails === undefined ? undefined : Math.max(1, Math.round(fails) + 1),
      openMs: milliseconds(either('cooldown_time')),
    }),
    timeouts: toTimeouts(
      readAmount(router?.timeout) ?? readAmount(settings?.request_timeout),
      readAmount(router?.stream_timeout),
    ),
  })
}

/** The budget of new users. */
function userDefaults(settings: LitellmDocument['litellm_settings'], notes: Notes): FairleadConfig['defaults'] {
  const params = settings?.default_internal_user_params
  const budget = params?.max_budget ?? settings?.max_internal_user_budget
  if (budget === undefined || budget === null) return undefined
  const budgetUsd = readAmount(budget)
  if (budgetUsd === undefined || budgetUsd < 0) {
    notes.add('litellm_settings', `the budget of new users is "${budget}", not an amount: set defaults.budgetUsd`)
    return undefined
  }
  const duration = params?.budget_duration ?? settings?.internal_user_budget_duration
  if (!duration) return { budgetUsd }
  const budgetPeriod = own(periods, duration)
  const field = params?.budget_duration
    ? 'litellm_settings.default_internal_user_params.budget_duration'
    : 'litellm_settings.internal_user_budget_duration'
  notes.add(
    field,
    budgetPeriod
      ? `budgets begin anew with each ${budgetPeriod} in UTC`
      : `Fairlead has budgets of a day, a week, or a month, not of "${duration}": set defaults.budgetUsd`,
  )
  return budgetPeriod && { budgetUsd, budgetPeriod }
}
