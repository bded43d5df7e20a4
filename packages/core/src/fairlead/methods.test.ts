import { describe, expect, test } from 'vitest'
import type { MethodsOf, MethodsOfAll } from './embedded-methods.ts'
import { gateway } from '../gateway/gateway.ts'
import { ownFeatures } from '@fairlead/testing/workspace'
import { formatted } from '../../../../scripts/formatted.ts'
import { type Feature, eventTypesOf } from '../runtime/feature.ts'
import { printEvents } from '../testing/print-events.ts'
import { namesIn, printMethods } from '../testing/print-methods.ts'

const features = [gateway, ...ownFeatures()] as const

/** The types of the methods as inferred from the schemas, without those that a feature declares. */
type Inferred<Features extends readonly Feature[]> = Features extends readonly [
  Feature<infer First>,
  ...infer Others extends readonly Feature[],
]
  ? MethodsOf<First> & Inferred<Others>
  : unknown

describe('the exported method types', () => {
  const printed = printMethods(features)

  test.each(features)('the exported method types match the operations of the feature $name', async ({ name }) => {
    await expect(
      formatted(printed.get(name) ?? '', 'methods.ts'),
      'out of date; npm run generate writes it',
    ).toMatchFileSnapshot(`../${name}/methods.ts`)
  })

  test('the exported method types include the types of all features', async () => {
    const lines = [...printed].map(
      ([feature, text]) => `export type { ${namesIn(text).toSorted().join(', ')} } from './${feature}/methods.ts'\n`,
    )
    await expect(
      formatted(lines.join(''), 'method-types.ts'),
      'out of date; npm run generate writes it',
    ).toMatchFileSnapshot('../method-types.ts')
  })

  test('the exported method types are compatible with the types inferred from the schemas', () => {
    const named: MethodsOfAll<typeof features> = {} as Inferred<typeof features>
    expect(named).toBeDefined()
  })
})

test('the exported event types match the events of all features', async () => {
  await expect(
    formatted(printEvents(eventTypesOf(features)), 'webhook-event.ts'),
    'out of date; npm run generate writes it',
  ).toMatchFileSnapshot('../webhooks/webhook-event.ts')
})
