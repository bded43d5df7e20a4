import type * as z from 'zod'
import { type FeatureBuilders, operationsFor as buildersFor } from '../runtime/feature.ts'
import type { ActionFunctions, Preparation } from '../runtime/declare.ts'
import type { ActionOperation, OperationFacts } from '../runtime/operation.ts'
import type { Services } from '../runtime/run/operation-run.ts'
import type { RuntimeStores } from '../runtime/stores/stores.ts'
import type { GatewayTransaction, GatewayView } from './images/images.ts'
import type { InferenceServices } from './services.ts'
import type { TextGeneration } from './text/generate-text.ts'
import { type Generating, withTextFunctions } from './text/generating-action.ts'

/** The services that every core has: what the operations of your own features get as their first argument. */
export interface GatewayServices extends InferenceServices {
  readonly text: TextGeneration
}

/**
 * The services of a feature that brings tables and services.
 *
 * @example
 *   type NoteServices = ServicesWith<{ notes: NoteStore }, { index: SearchIndex }>
 */
export type ServicesWith<Tables extends object, Own extends object = object> = Own &
  Omit<GatewayServices, 'stores'> & {
    readonly stores: RuntimeStores<GatewayView & Tables, GatewayTransaction & Tables>
  }

/**
 * Returns the builders of a feature that brings services. A function that takes a service that the feature lacks is a
 * type error, and so is a feature whose `setUp` does not return one.
 *
 * @example
 *   const { read, write, defineFeature } = operationsFor<ServicesWith<{ notes: NoteStore }>>()
 */
export function operationsFor<
  Given extends Services & Partial<Omit<GatewayServices, 'stores'>>,
>(): OwnFeatureBuilders<Given> {
  return builders as never
}

/** The builders, with a short form of `action`. */
type OwnFeatureBuilders<Given extends Services> = Omit<FeatureBuilders<Given, GatewayServices>, 'action'> & {
  /**
   * Declares an operation that waits for the outside, such as a provider, or a database of your own, while no transaction is
   * open. One that generates a text has `generate`, which returns what to ask, and `map`, which makes the result of the answer;
   * any other has `run`. If it fails, the unit is refunded, unless the caller closed the request after a provider was called, a
   * stream had begun, or a provider's answer cannot be used.
   */
  action<
    Name extends string,
    I extends z.ZodObject,
    O extends z.ZodType,
    Plan = z.output<I>,
    Chunk extends z.ZodType = z.ZodNever,
  >(
    declared: OperationFacts<Name, I, O> &
      (
        | (Preparation<I, Given, Plan> &
            ActionFunctions<I, O, Given, Plan, Chunk> & { readonly generate?: never; readonly map?: never })
        | (Generating<I, O, Chunk> & { readonly prepare?: never; readonly run?: never })
      ),
  ): ActionOperation<Name, I, O, Chunk, Given>
}

const plain = buildersFor<GatewayServices, GatewayServices>()
const builders = {
  ...plain,
  action: (declared: object) =>
    plain.action(('generate' in declared ? withTextFunctions(declared as never) : declared) as never),
}

/** The builders of a feature that needs only the services of every core. */
export const { read, list, write, action, subscription, defineFeature } = operationsFor<GatewayServices>()
