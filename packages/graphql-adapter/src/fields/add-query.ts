import type { Operation } from '@fairlead/core'
import { given } from '../projection/given.ts'
import { deprecationOf } from './deprecation-of.ts'
import { type Draft, rootField } from './draft.ts'
import { runOperation } from './run-operation.ts'

/** A field of `Query` for an operation; its arguments are the operation's input. */
export function addQuery({ builder, projection }: Draft, operation: Operation): void {
  const { summary, input, output } = operation
  builder.queryField(rootField(operation), (t) =>
    t.field({
      type: projection.outputType(output),
      nullable: true,
      description: summary,
      ...deprecationOf(operation),
      args: projection.inputFields(t, input),
      resolve: (_root, args, context) => runOperation(context, operation, given(input, args)),
    }),
  )
}
