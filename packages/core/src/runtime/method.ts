import type { Meta } from './run/envelope.ts'

export interface EmbeddedOptions {
  /** Cancels the call; the method then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Runs the operation once, however often the same input is sent under this key within 24 hours. */
  readonly idempotencyKey?: string | undefined
}

/** A result with everything that Fairlead knows about the call. */
export interface WithMeta<Data> {
  readonly data: Data
  /** Request id, provider, attempts, cost in US dollars, warnings, and the cursor of the next page of a list. */
  readonly meta: Meta
}

/** The chunks of a streamed result. Its return value, after the last chunk, is the result as a whole. */
export interface ResultStream<Chunk, Data> extends AsyncGenerator<Chunk, Data, undefined> {
  /** Resolves with the whole result once the stream has ended, and discards the chunks that were not read before. */
  result(): Promise<WithMeta<Data>>
}

/**
 * An operation as a method: resolves with its data, or rejects with `FairleadError`.
 *
 * @example
 *   const { data, meta } = await fairlead.generate.withMeta({ model: 'scribe', prompt: 'Write a haiku about rain' })
 *   console.log(data.content, meta.provider, meta.costUsd, meta.warnings)
 */
export type Method<Input, Data> = Call<Input, Promise<Data>> & {
  readonly withMeta: Call<Input, Promise<WithMeta<Data>>>
}

/**
 * An operation that can stream, as a method.
 *
 * @example
 *   const stream = fairlead.generate.stream({ model: 'scribe', prompt: 'Name ideas for a coffee shop' })
 *   for await (const chunk of stream) process.stdout.write(chunk.content)
 *   const { data } = await stream.result()
 *   console.log(data.usage.totalTokens, data.finishReason)
 */
export type StreamingMethod<Input, Data, Chunk> = Method<Input, Data> & {
  /** Yields the result in chunks. `break` cancels the call. */
  readonly stream: (input: Input, options?: EmbeddedOptions) => ResultStream<Chunk, Data>
}

/**
 * A subscription as a method: yields items until the loop is left or the signal aborts.
 *
 * @example
 *   for await (const event of fairlead.events.subscribe({ type: 'shipment.*' })) console.log(event.type, event.data)
 */
export type SubscriptionMethod<Input, Item> = Call<Input, AsyncGenerator<Item, void, undefined>>

type Call<Input, Returned> = {} extends Input
  ? (input?: Input, options?: EmbeddedOptions) => Returned
  : (input: Input, options?: EmbeddedOptions) => Returned

/** An iterator whose end can be had without reading what comes before. */
export type WithResult<Item, Returned, Result> = AsyncGenerator<Item, Returned, undefined> & {
  result(): Promise<Result>
}

/**
 * Adds `result()`, which resolves with the end of an iterator once it was read, and discards the items that were not read
 * before. It rejects as the iterator did.
 *
 * @param toReturned what the loop's own return value is
 */
export function withResult<Item, Result, Returned>(
  items: AsyncGenerator<Item, Result, undefined>,
  toReturned: (result: Result) => Returned,
): WithResult<Item, Returned, Result> {
  let end: { readonly result: Result } | undefined
  let failure: unknown = new Error('The stream was closed before its end.')

  async function* read(): AsyncGenerator<Item, Returned, undefined> {
    try {
      const result = yield* items
      end = { result }
      return toReturned(result)
    } catch (error) {
      failure = error
      throw error
    }
  }

  const reader = read()
  return Object.assign(reader, {
    async result(): Promise<Result> {
      while (!(await reader.next()).done);
      if (!end) throw failure
      return end.result
    },
  })
}
