import { testStores } from '../fakes/own-features.ts'
import { accounts, audit } from '@fairlead/accounts'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import { memoryStores } from '@fairlead/core/stores'
import { storeSuite } from '../store-suite.ts'

storeSuite('in memory', async (clock) => testStores({ clock }))

for (const features of [[], [accounts()], [shipments()], [webhooks()], [audit()]]) {
  const name = features.map((feature) => feature.name).join() || 'the gateway'
  storeSuite(`in memory, for ${name} alone,`, async (clock) => memoryStores({ clock, features }), { features })
}
