import { describe, expect, test } from 'vitest'
import type { MethodsOf, MethodsOfAll } from './embedded-methods.ts'
import { gateway } from '../gateway/gateway.ts'
import { ownFeatures } from '@fairlead/testing/workspace'
import { formatted } from '../../../../scripts/formatted.ts'
import { type Feature, collectEventTypes } from '../runtime/feature.ts'
import { printEvents } from '../testing/print-events.ts'
import { printMethods } from '../testing/print-methods.ts'

const own = ownFeatures()
const features = [gateway, ...own] as const

/** The types of the methods as inferred from the schemas, without those that a feature declares. */
type Inferred<Features extends readonly Feature[]> = Features extends readonly [
  Feature<infer First>,
  ...infer Others extends readonly Feature[],
]
  ? MethodsOf<First> & Inferred<Others>
  : unknown

describe('the exported method types', () => {
  const [accountsFeature, shipmentsFeature, webhooksFeature, auditFeature] = own
  const files = [
    {
      path: 'core/src/gateway',
      specifier: '@fairlead/core/types',
      core: '../runtime/method.ts',
      features: [gateway],
      declared: {
        './messages/message.ts': ['Dialect', 'ReasoningEffort'],
        './provider.ts': ['EntityType'],
        './provider-error.ts': ['ProviderFailure'],
      },
    },
    {
      path: 'accounts/src',
      specifier: '@fairlead/accounts/types',
      core: '@fairlead/core',
      features: [accountsFeature, auditFeature],
    },
    {
      path: 'shipments/src',
      specifier: '@fairlead/shipments/types',
      core: '@fairlead/core',
      features: [shipmentsFeature],
    },
    {
      path: 'webhooks/src',
      specifier: '@fairlead/webhooks/types',
      core: '@fairlead/core',
      features: [webhooksFeature],
    },
  ]
  const printed = printMethods(files)

  test.each(files)('the exported method types of $path match its operations', async ({ path, specifier }) => {
    await expect(
      formatted(printed.get(specifier) ?? '', 'methods.ts'),
      'out of date; npm run generate writes it',
    ).toMatchFileSnapshot(`../../../${path}/methods.ts`)
  })

  test('the exported method types are compatible with the types inferred from the schemas', () => {
    const named: MethodsOfAll<typeof features> = {} as Inferred<typeof features>
    expect(named).toBeDefined()
  })
})

test('the exported event types match the events of all features', async () => {
  await expect(
    formatted(printEvents(collectEventTypes(features)), 'webhook-event.ts'),
    'out of date; npm run generate writes it',
  ).toMatchFileSnapshot('../../../webhooks/src/webhook-event.ts')
})
