import type { Builder } from '../builder.ts'
import type { Dynamic } from '../projection/dynamic.ts'
import type { Fields } from '../projection/projection.ts'
import type { CallMeta } from './run-operation.ts'

/** The type `CallMeta`, and the field `meta` that results of model calls have. */
export function addCallMeta(builder: Builder): (t: Dynamic) => Fields {
  const warning = builder.objectRef<NonNullable<CallMeta['warnings']>[number]>('Warning').implement({
    description: 'A setting of the request that the model did not honor.',
    fields: (t) => ({
      field: t.exposeString('field', { description: 'The input field.' }),
      issue: t.exposeString('issue', { nullable: false, description: 'What was not honored.' }),
    }),
  })
  const meta = builder.objectRef<CallMeta>('CallMeta').implement({
    description: 'Facts about a model call.',
    fields: (t) => ({
      requestId: t.exposeString('requestId', { nullable: false, description: 'The id of the request.' }),
      timestamp: t.expose('timestamp', { type: 'DateTime', nullable: false, description: 'When the request began.' }),
      provider: t.exposeString('provider', { description: 'The provider that answered.' }),
      costUsd: t.exposeFloat('costUsd', { description: 'The cost in US dollars.' }),
      cached: t.exposeBoolean('cached', { description: 'Whether the answer came from the cache.' }),
      attempts: t.exposeInt('attempts', { description: 'How many calls to providers were made.' }),
      warnings: t.field({
        type: [warning],
        nullable: false,
        description: 'Settings that the model did not honor.',
        resolve: ({ warnings }) => warnings ?? [],
      }),
      replayed: t.exposeBoolean('replayed', {
        nullable: false,
        description: 'Whether this is a replay of an earlier request with the same `idempotencyKey`.',
      }),
    }),
  })
  return (t) => ({
    meta: t.field({
      type: meta,
      nullable: false,
      description: 'Facts about the model call.',
      resolve: (result: { readonly meta: CallMeta }) => result.meta,
    }),
  })
}
