import { type FeatureBuilders, operationsFor as buildersFor } from '../runtime/feature.ts'
import type { Services } from '../runtime/run/operation-run.ts'
import type { RuntimeStores } from '../runtime/stores/stores.ts'
import type { GatewayTransaction, GatewayView } from './images/images.ts'
import type { InferenceServices } from './services.ts'
import type { TextGeneration } from './text/generate-text.ts'

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
export function operationsFor<Given extends Services & Partial<Omit<GatewayServices, 'stores'>>>(): FeatureBuilders<
  Given,
  GatewayServices
> {
  return buildersFor<Given, GatewayServices>()
}

/** The builders of a feature that needs only the services of every core. */
export const { read, list, write, action, subscription, defineFeature } = operationsFor<GatewayServices>()
