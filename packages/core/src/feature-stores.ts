import type { AccountTransaction, AccountView } from './accounts/stores.ts'
import type { GatewayTransaction, GatewayView } from './gateway/images.ts'
import type { RuntimeStores } from './runtime/stores.ts'
import type { ShipmentsTransaction, ShipmentsView } from './shipments/shipment-store.ts'

/** The records of all features that may be read. */
export interface View extends AccountView, GatewayView, ShipmentsView {}

/** The records of all features that may be changed. */
export interface Transaction extends AccountTransaction, GatewayTransaction, ShipmentsTransaction {}

/** What a store implements: the records of the runtime and of every feature. `storeSuite` tests it. */
export interface Stores extends RuntimeStores<View, Transaction> {}
