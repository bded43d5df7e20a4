import { systemClock } from '@fairlead/core'
import { memoryRateLimiter } from '@fairlead/core/stores'
import { rateLimiterSuite } from './rate-limiter-suite.ts'

rateLimiterSuite('in memory', async () => memoryRateLimiter({ clock: systemClock }))
