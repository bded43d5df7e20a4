import * as z from 'zod'
import type { OperationRun, Services } from './run/operation-run.ts'
import type {
  ActionFacts,
  ActionOperation,
  OperationFacts,
  Planned,
  ReadOperation,
  Result,
  StreamedResult,
  StreamFacts,
  SubscriptionOperation,
  WriteOperation,
} from './operation.ts'
import type { Estimate } from './budgets/estimate.ts'
import { openPage, type PageInput, pageInput } from './schema/paging.ts'
import type { Position, Slice } from './schema/slice.ts'
import type { RuntimeStores, RuntimeTransaction, RuntimeView } from './stores/stores.ts'

/**
 * An operation with its functions. They are properties, because TypeScript checks the parameters of those strictly: a
 * function that takes a service which `Given` lacks is a type error.
 */
export type Declaration<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given,
  Plan,
  Functions,
> = OperationFacts<Name, Input, Output> & Preparation<Input, Given, Plan> & Functions

export interface Preparation<Input extends z.ZodObject, Given, Plan> {
  /** Makes all checks that need no work; its errors are free of charge. Default: the input is the plan. */
  readonly prepare?: (services: Given, call: OperationRun, input: z.output<Input>) => Plan | Promise<Plan>
}

/** The function of an operation that `read` declares. */
export interface ReadFunctions<Output extends z.ZodType, Given, Plan> {
  readonly run: (services: Given, call: OperationRun, plan: Plan) => Result<Output>
}

/** A list of records, which are ordered by creation. Its pages have cursors. */
export interface ListDeclaration<
  Name extends string,
  Filters extends z.core.$ZodLooseShape,
  Item extends ListedItem,
  Output extends z.ZodType,
  Given,
> extends Omit<OperationFacts<Name, z.ZodObject, Output>, 'input' | 'output' | 'paged'> {
  /** Input fields beside `limit`, `cursor` and `sort`, which every list has. */
  readonly filters: Filters
  /** One record of the page. */
  readonly record: Output
  /** Returns the items of the slice, in its order. */
  readonly find: (
    services: Given,
    call: OperationRun,
    filters: FiltersOf<Filters>,
    slice: Slice,
  ) => Promise<FoundItems<Item>>
  /** Returns the record of an item. */
  readonly show: (item: Item) => z.output<Output>
}

/** An item of a list. With a version, clients get it beside the record. */
type ListedItem = Position & { readonly version?: number }

type FoundItems<Item> =
  | readonly Item[]
  /** `examinedTo` is where the store stopped its search before the slice was full. The next page begins there. */
  | { readonly items: readonly Item[]; readonly examinedTo: Position | undefined }

type FiltersOf<Filters extends z.core.$ZodLooseShape> = Omit<z.output<ListInput<Filters>>, keyof PageInput>

type ListInput<Filters extends z.core.$ZodLooseShape> = z.ZodObject<typeof pageInput & Filters>

/** The function of an operation that `write` declares. */
export interface WriteFunctions<Output extends z.ZodType, Given, Plan> {
  /** Makes the change. Must not await anything but `tx`. */
  readonly apply: (tx: TransactionOf<Given>, call: OperationRun, plan: Plan) => Result<Output>
}

/** The functions of an operation that `action` declares. */
export interface ActionFunctions<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given,
  Plan,
  Chunk extends z.ZodType,
> extends ActionFacts<Output> {
  readonly run: (services: Given, call: OperationRun, planned: Planned<z.output<Input>, Plan>) => Result<Output>
  /**
   * The most that a run may use. Called only for callers with a limit of tokens or a budget, and if the caller leaves.
   * Default: the sum of what `text.prepare` was called for in `prepare`. Without any of these, nothing is known before the run,
   * and a budget may be exceeded by the calls in flight.
   *
   * @example
   *   // Three drafts of the same length.
   *   estimate: ({ text }, call, { plan }) => {
   *     const { tokens, costUsd, unpriced } = text.estimate(plan)
   *     return { tokens: 3 * tokens, costUsd: 3 * costUsd, unpriced }
   *   }
   */
  readonly estimate?: (services: Given, call: OperationRun, planned: Planned<z.output<Input>, Plan>) => Estimate
  /**
   * Returns the plan with a stored response, which costs nothing, for a call that a budget has no room for; undefined if none
   * is stored. Default: none is.
   */
  readonly findStored?: (
    services: Given,
    call: OperationRun,
    planned: Planned<z.output<Input>, Plan>,
  ) => Promise<NoInfer<Plan> | undefined>
  /** Streams the result. Callers request it with `stream: true`, a field that is added to the input. */
  readonly stream?: StreamFacts<Output, Chunk> & {
    /**
     * Yields chunks, and returns the same result as `run`; or opens a source of both. Must reject soon after the call's
     * signal aborts, as calls through the router do: nothing else ends the wait for the next chunk.
     */
    readonly run: (
      services: Given,
      call: OperationRun,
      planned: Planned<z.output<Input>, Plan>,
    ) => StreamedResult<Output, Chunk>
  }
  /** Stores records that belong to the result, in the transaction that settles the run. */
  readonly record?: (tx: TransactionOf<Given>, call: OperationRun, result: z.output<Output>) => Promise<void>
}

/** The function of an operation that `subscription` declares, and its item. */
export interface SubscriptionFunctions<Output extends z.ZodType, Given, Plan> {
  /**
   * One item. Over REST, its `id` becomes the id of the server-sent event, and `Last-Event-ID` sets the input field
   * `after`, if there is one.
   */
  readonly output: Output
  readonly metered: false
  /** Must end, or reject, soon after the call's signal aborts. */
  readonly subscribe: (
    services: Given,
    call: OperationRun,
    plan: Plan,
  ) => AsyncGenerator<z.output<Output>, void, undefined>
}

/** Declare operations whose functions get the services `Given`. */
export interface OperationBuilders<Given> {
  /** Declares an operation that reads records. Add it to the `operations` of a feature. */
  read<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
    declared: Declaration<Name, I, O, Given, Plan, ReadFunctions<O, Given, Plan>>,
  ): ReadOperation<Name, I, O, Given>
  /** Declares an operation that lists records page by page. */
  list<Name extends string, Filters extends z.core.$ZodLooseShape, Item extends ListedItem, O extends z.ZodType>(
    declared: ListDeclaration<Name, Filters, Item, O, Given>,
  ): ReadOperation<Name, ListInput<Filters>, z.ZodArray<O>, Given>
  /**
   * Declares an operation that changes records. The claim of the Idempotency-Key, the change, its events, and its usage are
   * one transaction, which any error of `apply` rolls back. The unit is reserved before it, and refunded if it fails.
   */
  write<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
    declared: Declaration<Name, I, O, Given, Plan, WriteFunctions<O, Given, Plan>>,
  ): WriteOperation<Name, I, O, Given>
  /**
   * Declares an operation that waits for the outside, such as a provider, or a database of your own, while no transaction is
   * open. If it fails, the unit is refunded, unless the caller closed the request after a provider was called, a stream had
   * begun, or a provider's answer cannot be used.
   */
  action<
    Name extends string,
    I extends z.ZodObject,
    O extends z.ZodType,
    Plan = z.output<I>,
    Chunk extends z.ZodType = z.ZodNever,
  >(
    declared: Declaration<Name, I, O, Given, Plan, ActionFunctions<I, O, Given, Plan, Chunk>>,
  ): ActionOperation<Name, I, O, Chunk, Given>
  /** Declares an operation that streams items until the caller closes it, such as events as they happen. Free of charge. */
  subscription<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
    declared: Declaration<Name, I, O, Given, Plan, SubscriptionFunctions<O, Given, Plan>>,
  ): SubscriptionOperation<Name, I, O, Given>
}

export const operationBuilders: OperationBuilders<Services> = {
  read: (declared) => ({ kind: 'read', ...declared }) as never,
  list: ({ filters, record, find, show, ...facts }) =>
    ({
      kind: 'read',
      ...facts,
      input: z.strictObject({ ...pageInput, ...filters }),
      output: z.array(record),
      paged: true,
      prepare: (_services: Services, _call: OperationRun, input: PageInput) => openPage(facts.name, input),
      async run(services: Services, call: OperationRun, page: ReturnType<typeof openPage>) {
        const found = await find(services, call, page.filters as never, page.slice)
        const { items, examinedTo } = 'items' in found ? found : { items: found, examinedTo: undefined }
        return page.show(call, items, examinedTo).map(show)
      },
    }) as never,
  write: (declared) => ({ kind: 'write', ...declared }) as never,
  action: (declared) => ({ kind: 'action', ...declared }) as never,
  subscription: (declared) => ({ kind: 'subscription', ...declared }) as never,
}

/** The read access of the stores among the services. */
export type ViewOf<Given> = [Given] extends [never]
  ? RuntimeView
  : Given extends { readonly stores: RuntimeStores<infer View, infer _Tx> }
    ? View
    : RuntimeView

/** The transaction of the stores among the services. */
export type TransactionOf<Given> = [Given] extends [never]
  ? RuntimeTransaction
  : Given extends { readonly stores: RuntimeStores<infer _View, infer Tx> }
    ? Tx
    : RuntimeTransaction
