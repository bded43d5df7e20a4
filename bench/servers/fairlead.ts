import { instantProvider } from './instant-provider.ts'
import { runFairlead } from './run-fairlead.ts'

await runFairlead([instantProvider])
