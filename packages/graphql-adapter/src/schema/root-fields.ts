import { clearAllDataLoaders } from '@pothos/plugin-dataloader'
import type { Operation } from '@fairlead/core'
import { operationCost, takesIdempotencyKey } from '@fairlead/core/adapter'
import { payloadType } from './payloads.ts'
import type { SchemaDraft } from './projection.ts'
import { runOperation } from './run-operation.ts'
import { findRecord, rootFieldName } from './type-names.ts'
import { toCoreInput } from './core-input.ts'
import { readShape } from './zod-shape.ts'

/** Adds the field of `Query` for an operation. Its arguments are the operation's input. */
export function addQuery({ builder, projection }: SchemaDraft, operation: Operation): void {
  const { summary, input } = operation
  builder.queryField(rootFieldName(operation), (t) =>
    t.field({
      type: projection.outputType(findRecord(operation)),
      nullable: true,
      description: summary,
      ...readDeprecation(operation),
      args: projection.inputFields(t, input),
      resolve: (_root, args, context) => runOperation(context, operation, toCoreInput(input, args)),
    }),
  )
}

/** Adds the field of `Mutation` for an operation. It is nullable, so that an error does not affect other fields. */
export function addMutation(draft: SchemaDraft, operation: Operation): void {
  const { builder, projection } = draft
  const { summary, input, errors = [] } = operation
  const checksVersion = errors.includes('PRECONDITION_FAILED')
  const fields = Object.values(input.shape)
  const isInputOptional = fields.every((field) => readShape(field).optional)
  const payload = payloadType(draft, operation)
  builder.mutationField(rootFieldName(operation), (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: summary,
      ...readDeprecation(operation),
      complexity: operationCost(operation),
      args: {
        // GraphQL has no types without fields.
        ...(fields.length > 0 && {
          input: t.arg({ type: projection.inputType(input), required: !isInputOptional, description: 'The input.' }),
        }),
        ...(takesIdempotencyKey(operation) && {
          idempotencyKey: t.arg.string({ description: idempotencyKeyDescription }),
        }),
        ...(checksVersion && { ifVersion: t.arg({ type: 'Int', description: ifVersionDescription }) }),
      },
      resolve: (_root, { input: sent, idempotencyKey, ifVersion }, context) => {
        // The mutation may change records that were loaded before it.
        clearAllDataLoaders(context)
        return runOperation(context, operation, () => toCoreInput(input, sent ?? {}), {
          ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
          ...(typeof ifVersion === 'number' && { ifMatch: [ifVersion] }),
        })
      },
    }),
  )
}

export const idempotencyKeyDescription =
  'Idempotency key, 1 to 255 visible characters: the operation runs once, however often the same request is sent within 24 hours.'

const ifVersionDescription = 'Expected version of the record. Otherwise, the mutation fails with `PRECONDITION_FAILED`.'

/** The deprecation of a root field, if its operation is deprecated. */
export function readDeprecation({ deprecated }: Pick<Operation, 'deprecated'>): {
  readonly deprecationReason?: string
} {
  if (!deprecated) return {}
  const { since, sunset, instead } = deprecated
  return { deprecationReason: `Deprecated since ${since}, removed on ${sunset}: use ${instead} instead.` }
}
