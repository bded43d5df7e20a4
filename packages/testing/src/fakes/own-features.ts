import { accounts, type AccountsOptions, audit } from '@fairlead/accounts'
import type { Clock } from '@fairlead/core'
import { memoryStores, type StoresFor } from '@fairlead/core/stores'
import { shipments } from '@fairlead/shipments'
import { webhooks, type WebhooksOptions } from '@fairlead/webhooks'

/** The features of Fairlead, besides the gateway. */
export function ownFeatures(options: AccountsOptions & WebhooksOptions = {}) {
  return [accounts(options), shipments(), webhooks(options), audit()] as const
}

/** The stores of all features of Fairlead. */
export interface Stores extends StoresFor<ReturnType<typeof ownFeatures>> {}

/** Read and write access to the records of all features of Fairlead. */
export type Transaction = Parameters<Parameters<Stores['transact']>[0]>[0]

/** Creates stores in memory with the tables of all features of Fairlead. */
export function testStores(options: { readonly clock?: Clock } = {}): Stores {
  return memoryStores({ ...options, features: ownFeatures() })
}
