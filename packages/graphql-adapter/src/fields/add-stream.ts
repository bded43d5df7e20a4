import { clearAllDataLoaders } from '@pothos/plugin-dataloader'
import { costOf, type Operation, type StreamEvent } from '@fairlead/core'
import type { GraphqlContext } from '../context.ts'
import { toGraphqlError } from '../error-extensions.ts'
import type { Dynamic } from '../projection/dynamic.ts'
import { given } from '../projection/given.ts'
import { capitalized } from '../projection/type-names.ts'
import { onceDescription } from './add-mutation.ts'
import { deprecationOf } from './deprecation-of.ts'
import { type Draft, rootField } from './draft.ts'
import { begin, shown } from './run-operation.ts'

type Event = StreamEvent<unknown, unknown>

/**
 * A field of `Subscription` for an operation that can answer piece by piece: chunks, then the whole result. An error ends
 * it, as the last event.
 */
export function addStream({ builder, projection }: Draft, operation: Operation): void {
  if (operation.kind !== 'inference' || !operation.stream) throw new TypeError(`${operation.name} does not stream`)
  const { summary, input, output, stream } = operation
  const events = builder.unionType(`${capitalized(operation.name)}Event`, {
    types: [projection.outputType(stream.chunk), projection.outputType(output)],
    resolveType: (value) => projection.outputType('meta' in (value as object) ? output : stream.chunk),
  })
  builder.subscriptionField(`${rootField(operation)}Stream`, (t) =>
    t.field({
      type: events,
      nullable: true,
      description: `${summary} Streams it in chunks; the last event is the whole result.`,
      ...deprecationOf(operation),
      complexity: costOf(operation),
      args: {
        input: t.arg({ type: projection.inputType(input), required: true }),
        idempotencyKey: t.arg.string({ description: onceDescription }),
      },
      subscribe: (_root, { input: sent, idempotencyKey }, context) =>
        open(context, operation, { ...(given(input, sent) as object), stream: true }, idempotencyKey),
      resolve: (event: Event, _args, context): Dynamic => {
        // Each event has its own look-ups: what was found for one may be another thing by the next.
        clearAllDataLoaders(context)
        if (event.type === 'error') throw toGraphqlError(event.reply)
        return event.type === 'chunk' ? event.chunk : shown(operation, event.reply)
      },
    }),
  )
}

async function open(
  context: GraphqlContext,
  operation: Operation,
  input: object,
  idempotencyKey: unknown,
): Promise<AsyncIterable<Event>> {
  const reply = await begin(context, operation, input, {
    // Every failure is an event here, whenever it comes: there is nothing to wait for.
    firstChunkMs: 0,
    ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
  })
  if (!('events' in reply)) throw new Error(`${operation.name} did not answer with a stream`)
  return reply.events
}
