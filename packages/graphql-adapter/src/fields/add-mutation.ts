import { clearAllDataLoaders } from '@pothos/plugin-dataloader'
import { costOf, type Operation } from '@fairlead/core'
import { given } from '../projection/given.ts'
import { shapeOf } from '../projection/shape.ts'
import { deprecationOf } from './deprecation-of.ts'
import { type Draft, rootField } from './draft.ts'
import { runOperation } from './run-operation.ts'

/** A field of `Mutation` under the operation's name. It is nullable, so that a refused one costs no other its result. */
export function addMutation({ builder, projection }: Draft, operation: Operation): void {
  const { summary, input, output, access, errors = [] } = operation
  const ofVersion = errors.includes('PRECONDITION_FAILED')
  builder.mutationField(rootField(operation), (t) =>
    t.field({
      type: projection.outputType(output),
      nullable: true,
      description: summary,
      ...deprecationOf(operation),
      complexity: costOf(operation),
      args: {
        input: t.arg({ type: projection.inputType(input), required: !takesNothing(operation) }),
        ...('anonymous' in access ? {} : { idempotencyKey: t.arg.string({ description: onceDescription }) }),
        ...(ofVersion && { ifVersion: t.arg({ type: 'SafeInt', description: versionDescription }) }),
      },
      resolve: (_root, { input: sent, idempotencyKey, ifVersion }, context) => {
        // What was found before may be another thing after it.
        clearAllDataLoaders(context)
        return runOperation(context, operation, given(input, sent ?? {}), {
          ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
          ...(typeof ifVersion === 'number' && { ifMatch: [ifVersion] }),
        })
      },
    }),
  )
}

/** What is said of the argument `idempotencyKey` wherever it stands. */
export const onceDescription =
  'Idempotency key, 1 to 255 visible characters: the operation runs once, however often the same request is sent within 24 hours.'

const versionDescription = 'Rejected with `PRECONDITION_FAILED` if the record has another version.'

function takesNothing({ input }: Operation): boolean {
  return Object.values(input.shape).every((field) => shapeOf(field).optional)
}
