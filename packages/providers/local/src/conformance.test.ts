import { providerSuite } from '@fairlead/testing/suites'
import { local } from './local.ts'

// The default size of an image takes four times as long to paint.
const image = { width: 512, height: 512 }
providerSuite('local', () => local({ images: { workers: 1 }, analysis: { workers: 1 } }), { requests: { image } })
