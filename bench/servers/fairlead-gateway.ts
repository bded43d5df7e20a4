import { runFairlead } from './run-fairlead.ts'
import { upstreamProvider } from './upstream-provider.ts'
import { upstreamUrl } from './upstream-url.ts'

await runFairlead([upstreamProvider(upstreamUrl)])
