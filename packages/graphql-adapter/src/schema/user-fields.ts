import type { Operation } from '@fairlead/core'
import { findAccount, type GraphqlContext } from '../context.ts'
import { connectionField, connectionType } from './connections.ts'
import type { Dynamic, Fields, SchemaDraft } from './projection.ts'
import { runOperation } from './run-operation.ts'

interface User {
  readonly id: string
}

/** Creates the fields of `User` for what belongs to a user, such as `{ me { usage { tier } } }`. Each runs its operation. */
export function userFields(t: Dynamic, draft: SchemaDraft, operations: readonly Operation[]): Fields {
  const fields = operations.flatMap((operation) => {
    if (operation.name === 'shipments') return [listField(operation, ({ id }) => ({ userId: id }), ['userId'])]
    if (operation.name === 'apiKeys' || operation.name === 'webhooks') return [listField(operation, ifCaller)]
    if (operation.name === 'usage' || operation.name === 'sessions') return [callerField(operation)]
    return []
  })
  return Object.fromEntries(fields)

  function listField(
    operation: Operation,
    inputOf: (user: User, context: GraphqlContext) => object | undefined,
    fixed?: readonly string[],
  ) {
    const type = connectionType(draft, operation)
    return [operation.name, connectionField(t, draft, { operation, type, inputOf, ...(fixed && { fixed }) })] as const
  }

  function callerField(operation: Operation) {
    const field = t.field({
      type: draft.projection.outputType(operation.output),
      nullable: true,
      description: `${operation.summary} Null for users other than the caller.`,
      resolve: (user: User, _args: unknown, context: GraphqlContext) =>
        ifCaller(user, context) ? runOperation(context, operation, {}) : null,
    })
    return [operation.name, field] as const
  }
}

function ifCaller({ id }: User, context: GraphqlContext): object | undefined {
  return findAccount(context)?.userId === id ? {} : undefined
}
