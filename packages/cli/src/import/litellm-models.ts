import type { Deployment, Group, LitellmDocument, Parameters } from './litellm-document.ts'
import { belongsToPrices } from './litellm-prices.ts'
import { targetOf } from './litellm-providers.ts'
import type { Notes } from './notes.ts'
import type { ProviderEntries } from './provider-entries.ts'

const perRequest = 'Fairlead sends this setting only if a request has it'
const noBudget = 'Fairlead has no budget of a model; keys, users, and projects have budgets: docs/budgets.md'

/** Why parameters of a model are left out. */
const reasons: Readonly<Record<string, string>> = {
  api_version: 'Azure’s v1 API has no versions',
  ...Object.fromEntries(
    [
      'temperature',
      'max_tokens',
      'max_completion_tokens',
      'top_p',
      'seed',
      'stop',
      'n',
      'reasoning_effort',
      'thinking',
    ].map((name) => [name, perRequest]),
  ),
  max_budget: noBudget,
  budget_duration: noBudget,
  max_retries: 'retries are the same for all models: retries.perTarget',
  num_retries: 'retries are the same for all models: retries.perTarget',
  drop_params: 'Fairlead always leaves out settings that a model lacks, and names them in meta.warnings',
  max_parallel_requests: 'Fairlead limits concurrency for all models alike: concurrency.perTarget',
}

/** Parameters that the import reads. */
const used = new Set([
  'model',
  'custom_llm_provider',
  'api_key',
  'api_base',
  'base_url',
  'organization',
  'extra_headers',
  'litellm_credential_name',
  'weight',
  'order',
  'rpm',
  'tpm',
  'timeout',
  'stream_timeout',
])

/** The models of the document by their name, in its order. */
export function groupsOf(
  document: LitellmDocument,
  context: { readonly providers: ProviderEntries; readonly notes: Notes },
): ReadonlyMap<string, Group> {
  const { notes } = context
  const groups = new Map<string, Group>()
  for (const [index, deployment] of document.model_list.entries()) {
    const path = `model_list[${index}]`
    const params = withCredential(deployment.litellm_params, document, `${path}.litellm_params`, notes)
    noteTheRest(deployment, params, path, notes)
    if (params.model === '*') {
      notes.add(`${path}.litellm_params.model`, '"*" is every provider: list those that you use in `providers`')
      continue
    }
    const target = targetOf(params, `${path}.litellm_params`, context)
    if (!target) continue
    const name = deployment.model_name
    if (name.includes('*') || target.model.includes('*')) {
      noteWildcard(name, target, path, notes)
      continue
    }
    const group = groups.get(name) ?? { path, targets: [] }
    const { provider, model: id } = target
    group.targets.push({ path, model: `${provider}/${id}`, provider, id, params, info: deployment.model_info })
    groups.set(name, group)
  }
  return groups
}

/** A provider with `models: 'any'` takes every id after its own, and the first one those without a provider. */
function noteWildcard(
  name: string,
  target: { readonly provider: string; readonly model: string },
  path: string,
  notes: Notes,
): void {
  if (target.model !== '*' || (name !== '*' && name !== `${target.provider}/*`)) {
    notes.add(`${path}.model_name`, `clients write ${target.provider}/<model> in place of "${name}"`)
  }
}

function withCredential(params: Parameters, document: LitellmDocument, path: string, notes: Notes): Parameters {
  const { litellm_credential_name: name } = params
  if (!name) return params
  const credential = document.credential_list?.find((each) => each.credential_name === name)
  if (credential) return { ...params, ...credential.credential_values }
  notes.add(`${path}.litellm_credential_name`, `credential_list has no credential "${name}"`)
  return params
}

function noteTheRest({ model_info: info }: Deployment, params: Parameters, path: string, notes: Notes): void {
  for (const name of Object.keys(params).filter(
    (each) => !used.has(each) && !belongsToPrices('litellm_params', each),
  )) {
    notes.add(`${path}.litellm_params.${name}`, reasons[name] ?? 'Fairlead has no such setting of a model')
  }
  for (const name of Object.keys(info ?? {}).filter(
    (each) => !['id', 'mode', 'version', 'description'].includes(each) && !belongsToPrices('model_info', each),
  )) {
    notes.add(`${path}.model_info.${name}`, reasons[name] ?? 'Fairlead takes the facts of a model from its provider')
  }
}
