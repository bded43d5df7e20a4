import type { ServerResponse } from 'node:http'
import type { Caller, IdentifiedCaller } from './access.ts'
import type { ErrorCode } from './errors.ts'
import type { Outcome } from './quota/usage.ts'
import type { ModelCall } from './run/run-options.ts'

/** The events of calls and requests. */
export interface CallObserver {
  /**
   * A call has ended, also one that was rejected. A streamed call ends when its stream is settled.
   *
   * @param durationMs since the call began
   */
  callEnded?(call: ObservedCall, durationMs: number): void
  /** A read was answered although its unit could not be charged: the store can be read but not written. */
  chargeDeferred?(call: ObservedCall): void
  /** A request was counted towards its burst limit in this process alone, because Redis is unavailable. */
  rateLimiterFellBack?(): void
  /**
   * An adapter has sent a response, or the client has disconnected.
   *
   * @param response Node's response, where there is one
   */
  requestEnded?(record: AccessLogRecord, response?: ServerResponse): void
}

/** The events of a feature that sends events to others, as `@fairlead/webhooks` does. */
export interface DeliveryObserver {
  /** The webhooks are set up: `read` reads the queue, such as for a gauge. It rejects while the store is unavailable. */
  deliveriesOpened?(read: () => Promise<DeliveryQueue>): void
  /** Events were stored in this process. Another process that delivers for this one can be told to `wakeJobs`. */
  eventsStored?(): void
  /** An event was sent to a webhook. @param outcome `retried`: it failed, and will be sent again */
  deliveryAttempted?(outcome: 'delivered' | 'retried' | 'failed', durationMs: number): void
  /** The service disabled a webhook. */
  webhookDisabled?(reason: 'gone' | 'failing'): void
  /** There were too many: the oldest pending deliveries failed, or the oldest events were removed. */
  webhookDataDropped?(kind: 'deliveries' | 'events', count: number): void
}

/** The deliveries of all processes. */
export interface DeliveryQueue {
  /** Deliveries that wait for their next attempt. */
  readonly pending: number
  /** How long the oldest due delivery has waited, in milliseconds; 0 if none is due. */
  readonly overdueMs: number
  /** Webhooks that the service disabled. */
  readonly disabledWebhooks: number
}

/** One run of an operation. Its properties are current whenever they are read. */
export interface ObservedCall {
  readonly requestId: string
  readonly operation: { readonly name: string; readonly kind: string }
  /** Anonymous until the credentials are authenticated. */
  readonly caller: Caller
  /** When the call began, in milliseconds since the epoch. */
  readonly at: number
  /** When its stream had its first chunk, in milliseconds since the epoch; undefined if it had none. */
  readonly firstChunkAt: number | undefined
  /** `ok` until the call has failed. */
  readonly outcome: Outcome
  /** Model, provider, attempts, tokens and cost, as far as they are known. Empty if no model was called. */
  readonly modelCall: Partial<ModelCall>
}

/** A call of a model within a request. */
export interface LoggedModelCall extends Partial<Pick<ModelCall, 'model' | 'provider' | 'queuedMs'>> {
  /** The name of the operation. */
  readonly operation: string
}

/** One HTTP request, for a log. It contains no secrets. */
export interface AccessLogRecord
  extends Partial<Pick<ModelCall, 'model' | 'provider' | 'queuedMs'>>, Partial<IdentifiedCaller> {
  readonly requestId: string
  readonly method: string
  /** The pattern of the path, without ids. */
  readonly route: string
  /** The path of a request for an unknown route, without its query, and with long segments cut. */
  readonly path?: string
  /** 499 if the client disconnected before the response began. */
  readonly status: number
  /** The code of the error; over GraphQL, of the first. */
  readonly code?: ErrorCode
  /** The reason in the details of the error, such as `queue_full`. */
  readonly reason?: string
  readonly durationMs: number
  /** Whether the client disconnected before the end. */
  readonly aborted: boolean
  /** The network address of the client. */
  readonly address: string
  /** The calls of models, if a GraphQL request has several. `model` and `provider` then belong to the last one. */
  readonly modelCalls?: readonly LoggedModelCall[]
}
