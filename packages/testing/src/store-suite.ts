import { accounts, audit } from '@fairlead/accounts'
import type { Clock, Feature } from '@fairlead/core'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import { testClock } from './fakes/test-clock.ts'
import type { RuntimeStores, StoresFor } from '@fairlead/core/stores'
import type { Stores } from './fakes/own-features.ts'
import { beforeEach, describe } from 'vitest'
import { auditSuite } from './store-suite/audit-suite.ts'
import { claimSuite } from './store-suite/claim-suite.ts'
import { counterSuite } from './store-suite/counter-suite.ts'
import { deliverySuite } from './store-suite/delivery-suite.ts'
import { eventSuite } from './store-suite/event-suite.ts'
import { imageSuite } from './store-suite/image-suite.ts'
import { keySuite } from './store-suite/key-suite.ts'
import { projectSuite } from './store-suite/project-suite.ts'
import { sessionSuite } from './store-suite/session-suite.ts'
import { shipmentSuite } from './store-suite/shipment-suite.ts'
import { spendSuite } from './store-suite/spend-suite.ts'
import { transactionSuite } from './store-suite/transaction-suite.ts'
import { usageRecordSuite } from './store-suite/usage-record-suite.ts'
import { usageListSuite } from './store-suite/usage-list-suite.ts'
import { usageSuite } from './store-suite/usage-suite.ts'
import { userSuite } from './store-suite/user-suite.ts'
import { webhookOwnerSuite } from './store-suite/webhook-owner-suite.ts'
import { webhookSuite } from './store-suite/webhook-suite.ts'

/** All features of Fairlead besides the gateway. */
type OwnFeatures = readonly [
  ReturnType<typeof accounts>,
  ReturnType<typeof shipments>,
  ReturnType<typeof webhooks>,
  ReturnType<typeof audit>,
]

export interface StoreSuiteOptions<Features extends readonly Feature[]> {
  /** The features whose records the stores keep, besides the gateway's. Default: all features of Fairlead. */
  readonly features?: Features
}

/**
 * Declares the tests that the stores of a core with these features must pass. It does not test tables of your own features.
 *
 * @param open opens empty stores that use the given clock. They are closed after each test
 * @example
 *   storeSuite('my stores', (clock) => openMyStores({ clock }), { features: [shipments()] })
 */
export function storeSuite<const Features extends readonly Feature[] = OwnFeatures>(
  name: string,
  open: (clock: Clock) => Promise<NoInfer<StoresFor<Features>>>,
  {
    features = [accounts(), shipments(), webhooks(), audit()] as readonly Feature[] as Features,
  }: StoreSuiteOptions<Features> = {},
): void {
  const names = features.map((feature) => feature.name)
  describe(`${name} stores`, () => {
    const clock = testClock('2026-03-14T12:00:00.000Z')
    let opened: RuntimeStores
    /** The parts use only what the listed features need. */
    const stores = () => opened as Stores

    beforeEach(async () => {
      clock.jumpTo('2026-03-14T12:00:00.000Z')
      opened = await open(clock)
      return () => opened.close()
    })

    transactionSuite(stores)
    counterSuite(stores, clock)
    spendSuite(stores)
    usageRecordSuite(stores)
    claimSuite(stores, clock)
    imageSuite(stores, clock)
    if (names.includes('accounts')) {
      userSuite(stores, clock)
      projectSuite(stores, clock)
      keySuite(stores, clock)
      sessionSuite(stores, clock)
      usageSuite(stores, clock)
      usageListSuite(stores, clock)
    }
    if (names.includes('shipments')) shipmentSuite(stores)
    if (names.includes('audit')) auditSuite(stores)
    if (names.includes('webhooks')) {
      webhookSuite(stores)
      eventSuite(stores)
      deliverySuite(stores)
      if (names.includes('accounts')) webhookOwnerSuite(stores, clock)
    }
  })
}
