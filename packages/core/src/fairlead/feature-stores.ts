import type { AccountTransaction, AccountView } from '../accounts/stores.ts'
import type { GatewayTransaction, GatewayView } from '../gateway/images/images.ts'
import type { RuntimeStores } from '../runtime/stores/stores.ts'
import type { ShipmentsTransaction, ShipmentsView } from '../shipments/shipment-store.ts'
import type { WebhooksTransaction, WebhooksView } from '../webhooks/webhook-store.ts'

/** Read access to the records of all features. */
export interface View extends AccountView, GatewayView, ShipmentsView, WebhooksView {}

/** Read and write access to the records of all features. */
export interface Transaction
  extends AccountTransaction, GatewayTransaction, ShipmentsTransaction, WebhooksTransaction {}

/** The interface that stores implement: the records of the runtime and of all features. `storeSuite` tests it. */
export interface Stores extends RuntimeStores<View, Transaction> {}
