import type { AccountTransaction, AccountView, AuditLogView, AuditTransaction } from '@fairlead/accounts/stores'
import type { GatewayTransaction, GatewayView, RuntimeStores } from '@fairlead/core/stores'
import type { ShipmentsTransaction, ShipmentsView } from '@fairlead/shipments/stores'
import type { WebhooksTransaction, WebhooksView } from '@fairlead/webhooks/stores'

/** Read access to the records of all features of Fairlead. */
export type View = AccountView & AuditLogView & GatewayView & ShipmentsView & WebhooksView

/** Read and write access to the records of all features of Fairlead. */
export type Transaction = AccountTransaction &
  AuditTransaction &
  GatewayTransaction &
  ShipmentsTransaction &
  WebhooksTransaction

/**
 * The stores of all features of Fairlead, for the service. A program that embeds Fairlead needs only its features'
 * stores: `StoresFor` of `@fairlead/core/stores`.
 */
export interface Stores extends RuntimeStores<View, Transaction> {}
