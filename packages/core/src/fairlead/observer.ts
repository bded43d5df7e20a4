import type { AttemptObserver } from '../gateway/routing/attempt-observer.ts'
import type { Log } from '../runtime/log.ts'
import type { CallObserver, DeliveryObserver } from '../runtime/observer.ts'

/**
 * Receives what happens in a core and its adapters. Implement the events that you need. They are called while requests wait,
 * so they must be fast; an error that they throw is logged.
 *
 * @example
 *   const costs: Observer = {
 *     callEnded({ operation, modelCall: { model, costUsd } }) {
 *       if (costUsd !== undefined) console.log(operation.name, model, costUsd)
 *     },
 *   }
 */
export interface Observer extends CallObserver, AttemptObserver, DeliveryObserver {}

/** Every event, which a type can't list. */
const events = Object.keys({
  callEnded: true,
  chargeDeferred: true,
  rateLimiterFellBack: true,
  requestEnded: true,
  targetAdded: true,
  targetRemoved: true,
  callQueued: true,
  queueFull: true,
  attemptStarted: true,
  attemptResponded: true,
  attemptEnded: true,
  circuitOpened: true,
  circuitClosed: true,
  deliveriesOpened: true,
  eventsStored: true,
  deliveryAttempted: true,
  webhookDisabled: true,
  webhookDataDropped: true,
} satisfies Record<Exclude<keyof Observer, 'runAttempt'>, true>) as readonly Exclude<keyof Observer, 'runAttempt'>[]

type Listener = (first: unknown, second: unknown) => void

/** One observer out of several. It has only the events that one of them has, so that others cost nothing. */
export function combineObservers(observers: readonly Observer[], log: Log): Observer {
  const combined: Partial<Record<keyof Observer, unknown>> = {}
  for (const event of events) {
    const interested = observers.filter((observer) => observer[event])
    if (interested.length === 0) continue
    const listener: Listener = (first, second) => {
      for (let at = 0; at < interested.length; at++) {
        const observer = interested[at]!
        try {
          ;(observer[event] as Listener).call(observer, first, second)
        } catch (error) {
          log.error({ event, error }, 'an observer failed')
        }
      }
    }
    combined[event] = listener
  }
  const running = observers.filter((observer) => observer.runAttempt)
  if (running.length > 0) {
    const runAttempt: NonNullable<Observer['runAttempt']> = (attempt, work) =>
      running.reduceRight((inner, observer) => () => observer.runAttempt!(attempt, inner), work)()
    combined.runAttempt = runAttempt
  }
  return combined as Observer
}
