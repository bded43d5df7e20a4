import { clearAllDataLoaders } from '@pothos/plugin-dataloader'
import type { Operation, StreamEvent } from '@fairlead/core'
import { operationCost } from '@fairlead/core/adapter'
import type { GraphqlContext } from '../context.ts'
import { toGraphqlError } from '../errors.ts'
import type { Dynamic, SchemaDraft } from './projection.ts'
import { readDeprecation, idempotencyKeyDescription } from './root-fields.ts'
import { begin, toResult } from './run-operation.ts'
import { capitalized, rootFieldName } from './type-names.ts'
import { toCoreInput } from './core-input.ts'

type Event = StreamEvent<unknown, unknown>

/** Adds the field of `Subscription` for an operation that streams: chunks, then the whole result. An error ends the stream. */
export function addSubscription({ builder, projection }: SchemaDraft, operation: Operation): void {
  if (operation.kind !== 'action' || !operation.stream) throw new TypeError(`${operation.name} does not stream`)
  const { summary, input, output, stream } = operation
  const events = builder.unionType(`${capitalized(rootFieldName(operation))}Event`, {
    description: `An event of \`${rootFieldName(operation)}Stream\`: a chunk, or the whole result.`,
    types: [projection.outputType(stream.chunk), projection.outputType(output)],
    resolveType: (value) => projection.outputType('meta' in (value as object) ? output : stream.chunk),
  })
  builder.subscriptionField(`${rootFieldName(operation)}Stream`, (t) =>
    t.field({
      type: events,
      nullable: true,
      description: `${summary} Streams it in chunks; the last event is the whole result.`,
      ...readDeprecation(operation),
      complexity: operationCost(operation),
      args: {
        input: t.arg({ type: projection.inputType(input), required: true, description: 'The input.' }),
        idempotencyKey: t.arg.string({ description: idempotencyKeyDescription }),
      },
      subscribe: (_root, { input: sent, idempotencyKey }, context) =>
        open(context, operation, () => ({ ...(toCoreInput(input, sent) as object), stream: true }), idempotencyKey),
      resolve: (event: Event, _args, context): Dynamic => {
        // Records may change between two events.
        clearAllDataLoaders(context)
        if (event.type === 'error') throw toGraphqlError(event.reply)
        return event.type === 'chunk' ? event.chunk : toResult(operation, event.reply)
      },
    }),
  )
}

/** Adds the field of `Subscription` for a subscription: one item after the other. */
export function addItems({ builder, projection }: SchemaDraft, operation: Operation): void {
  const { summary, input, output } = operation
  builder.subscriptionField(rootFieldName(operation), (t) =>
    t.field({
      type: projection.outputType(output),
      nullable: true,
      description: summary,
      ...readDeprecation(operation),
      complexity: operationCost(operation),
      args: projection.inputFields(t, input),
      subscribe: (_root, args, context) => open(context, operation, toCoreInput(input, args) as object),
      resolve: (event: Event): Dynamic => {
        if (event.type === 'error') throw toGraphqlError(event.reply)
        return event.type === 'chunk' ? event.chunk : null
      },
    }),
  )
}

async function open(
  context: GraphqlContext,
  operation: Operation,
  input: object | (() => object),
  idempotencyKey?: unknown,
): Promise<AsyncIterable<Event>> {
  const reply = await begin(context, operation, input, {
    // Every failure is an event of the stream, so there is no need to wait for the first chunk.
    firstChunkMs: 0,
    ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
  })
  if (!('events' in reply)) throw new Error(`${operation.name} did not stream`)
  return reply.events
}
