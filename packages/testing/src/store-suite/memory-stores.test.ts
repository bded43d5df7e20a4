import { accounts, audit, shipments, webhooks } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { storeSuite } from '../store-suite.ts'

storeSuite('in memory', async (clock) => memoryStores({ clock }))

for (const features of [[], [accounts()], [shipments()], [webhooks()], [audit()]]) {
  const name = features.map((feature) => feature.name).join() || 'the gateway'
  storeSuite(`in memory, for ${name} alone,`, async (clock) => memoryStores({ clock, features }), { features })
}
