import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import type { Provider } from '@fairlead/core/provider'
import { memoryStores, type StoresFor } from '@fairlead/core/stores'
import { restAdapter } from '@fairlead/rest-adapter'
import { titles } from './titles.ts'

const features = [accounts(), titles] as const

export interface AppOptions {
  readonly providers: readonly Provider[]
  /** The models behind the name `writer`. If the first one fails, the next one answers. */
  readonly writers: readonly string[]
  /** Default: in memory, until the process ends. */
  readonly stores?: StoresFor<typeof features>
}

/** Creates the app. Its `listener` serves the REST API, for `createServer` of Node and `app.use` of Express. */
export function createApp({ providers, writers, stores = memoryStores({ features }) }: AppOptions) {
  const fairlead = createFairlead({
    providers,
    features,
    stores,
    routing: { routes: { writer: { targets: writers } } },
  })
  const listener = restAdapter(fairlead.core, { service: { name: 'sample-app', version: '0.1.0' } })
  return { fairlead, stores, listener }
}
