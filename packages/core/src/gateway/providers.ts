import * as z from 'zod'
import { smallCount, namedObject, namedEnum, typeNames } from '../runtime/schema/field-schemas.ts'
import { failureDescriptions } from './provider-error.ts'
import type { ProviderHealth } from './routing/provider-health.ts'
import type { TargetState } from './routing/targets.ts'
import { read } from './services.ts'

const failureClass = namedEnum('ProviderFailure', 'Class of a provider failure.', {
  ...failureDescriptions,
  defect: 'A bug in the provider plugin.',
})
const latency = smallCount.optional()

const healthSchema = namedObject('ProviderHealth', 'The health of a provider.', {
  status: namedEnum('HealthStatus', 'Health of a provider.', {
    up: 'The last health check passed.',
    down: 'The last health check failed.',
    unknown: 'The provider has no health check.',
  }).describe('Health status. `unknown` if the provider has no health check.'),
  checkedAt: z.iso.datetime().optional().describe('When the health was last checked: at most every ten seconds.'),
  failure: failureClass.optional().describe('Why the provider is down.'),
})

const target = namedObject('ProviderTarget', 'A model or analyzer of a provider that was called.', {
  model: z.string().describe('Model id within the provider.'),
  circuit: namedEnum('CircuitState', 'State of a circuit breaker.', {
    closed: 'Allows calls.',
    open: 'Rejects calls after repeated failures.',
    'half-open': 'Allows one trial call.',
  }).describe(
    '`closed`: calls pass. `open`: calls are rejected after consecutive failures, only for one account if only its calls failed. `half-open`: one trial call is allowed.',
  ),
  restMs: smallCount
    .optional()
    .describe('Milliseconds until it accepts calls again, if its circuit breaker is open or it sent `Retry-After`.'),
  inFlight: smallCount.describe('Calls in flight.'),
  queued: smallCount.describe('Calls waiting in its queue.'),
  latencyMs: z
    .object({
      whole: latency.describe('Time to a whole response.'),
      stream: latency.describe('Time to the first chunk of a stream.'),
    })
    .register(typeNames, { name: 'TargetLatency' })
    .describe('Moving averages of its latency, in milliseconds, where measured.'),
  failures: smallCount.describe('Failed calls since the process started.'),
  lastFailure: failureClass.optional().describe('Class of the last failure. `defect` is a bug in the provider plugin.'),
})

/** A provider as admins see it, with the state of one node. */
const providerRecord = namedObject('Provider', 'A provider, with its state on the node that responds.', {
  id: z.string().describe('Provider id, the first part of `provider/model`.'),
  models: smallCount.describe('Number of models that it lists.'),
  health: healthSchema.describe('Health of the provider.'),
  targets: z.array(target).describe('Its models and analyzers that were called since the process started.'),
})

type ProviderRecord = z.output<typeof providerRecord>

function toHealthRecord({ status, checkedAt, failure }: ProviderHealth): ProviderRecord['health'] {
  return {
    status,
    ...(checkedAt !== undefined && { checkedAt: new Date(checkedAt).toISOString() }),
    ...(failure && { failure }),
  }
}

function toTargetRecord(state: TargetState): ProviderRecord['targets'][number] {
  const { id, circuit, bulkhead, latency: meters, failures, lastFailure } = state
  const restMs = Math.ceil(circuit.blockedForMs())
  return {
    model: id,
    circuit: circuit.state,
    ...(restMs > 0 && { restMs }),
    inFlight: bulkhead.inFlight,
    queued: bulkhead.queued,
    latencyMs: { ...rounded('whole', meters.whole.latestMs), ...rounded('stream', meters.stream.latestMs) },
    failures,
    ...(lastFailure && { lastFailure }),
  }
}

function rounded(name: 'whole' | 'stream', ms: number | undefined) {
  return ms === undefined ? {} : { [name]: Math.round(ms) }
}

export const listProviders = read({
  name: 'providers',
  summary: 'Lists the providers with their health, circuit breakers and latency on the node that responds.',
  access: { scope: 'models', role: 'admin' },
  metered: true,
  rest: { method: 'GET', path: '/providers' },
  graphql: { query: 'providers' },
  input: z.strictObject({}),
  output: z.array(providerRecord),
  run: ({ registry, router, health }) =>
    Promise.all(
      registry.providers.map(async (provider) => ({
        id: provider.id,
        models: registry.countOf(provider),
        health: toHealthRecord(await health.of(provider)),
        targets: router.states(provider).map(toTargetRecord),
      })),
    ),
})
