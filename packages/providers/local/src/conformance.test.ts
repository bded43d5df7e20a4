import { providerSuite } from '@fairlead/testing/suites'
import { local } from './local.ts'

providerSuite('local', () => local({ images: { workers: 1 }, analysis: { workers: 1 } }))
