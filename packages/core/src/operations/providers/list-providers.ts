import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { providerRecord, toHealthRecord, toTargetRecord } from './provider-record.ts'

export const listProviders = defineOperation({
  name: 'providers',
  summary: 'Lists the providers with their health, circuit breakers and latency, as the node that answers sees them.',
  kind: 'read',
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
