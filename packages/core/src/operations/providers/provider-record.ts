import { z } from 'zod'
import type { ProviderHealth } from '../../inference/routing/provider-health.ts'
import type { TargetState } from '../../inference/routing/target-states.ts'
import { providerFailures } from '../../values/provider-error.ts'
import { typeNames } from '../../runtime/surfaces.ts'

const failure = z.enum([...providerFailures, 'defect']).register(typeNames, { name: 'ProviderFailure' })
const latency = z.int().min(0).optional()

const health = z
  .object({
    status: z
      .enum(['up', 'down', 'unknown'])
      .register(typeNames, { name: 'HealthStatus' })
      .describe('`unknown` where the provider has no way to say.'),
    checkedAt: z.iso.datetime().optional().describe('When it was asked: at most every ten seconds.'),
    failure: failure.optional().describe('Why it is down.'),
  })
  .meta({ id: 'ProviderHealth', description: 'The health of a provider.' })

const target = z
  .object({
    model: z.string().describe('The model’s id within the provider.'),
    circuit: z
      .enum(['closed', 'open', 'half-open'])
      .register(typeNames, { name: 'CircuitState' })
      .describe(
        '`closed`: it takes calls. `open`: calls failed in a row and are stopped, for one account alone where only its calls failed. `half-open`: one call may try it.',
      ),
    restMs: z
      .int()
      .optional()
      .describe('For how long it takes no calls, in milliseconds: its circuit is open, or it asked for a rest.'),
    inFlight: z.int().describe('Calls that it works on.'),
    queued: z.int().describe('Calls that wait for it.'),
    latencyMs: z
      .object({
        whole: latency.describe('Until a whole answer.'),
        stream: latency.describe('Until the first piece of a stream.'),
      })
      .register(typeNames, { name: 'TargetLatency' })
      .describe('How long it takes lately, in milliseconds: a moving average, where it was measured.'),
    failures: z.int().describe('Calls that it failed since the process began.'),
    lastFailure: failure.optional().describe('The class of the latest failure; `defect` is a bug of the provider’s.'),
  })
  .meta({ id: 'ProviderTarget', description: 'A model or analyzer of a provider that was called.' })

/** A provider as admins see it, on the node that answers. */
export const providerRecord = z
  .object({
    id: z.string().describe('Its name in `provider/model`.'),
    models: z.int().describe('How many models it lists.'),
    health: health.describe('How it says that it is.'),
    targets: z.array(target).describe('Its models and analyzers that were asked since the process began.'),
  })
  .meta({ id: 'Provider', description: 'A provider, as the node that answers sees it.' })

type ProviderRecord = z.output<typeof providerRecord>

export function toHealthRecord({ status, checkedAt, failure: why }: ProviderHealth): ProviderRecord['health'] {
  return {
    status,
    ...(checkedAt !== undefined && { checkedAt: new Date(checkedAt).toISOString() }),
    ...(why && { failure: why }),
  }
}

export function toTargetRecord(state: TargetState): ProviderRecord['targets'][number] {
  const { id, circuit, bulkhead, latency: meters, failures, lastFailure } = state
  const restMs = Math.ceil(circuit.refusedForMs())
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
