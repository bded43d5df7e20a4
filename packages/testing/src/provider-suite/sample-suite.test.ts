import { providerSuite } from '../provider-suite.ts'
import { variants } from './sample-variants.ts'

// `npm run fuzz` runs all tests of the suite, for all variants.
for (const { name, make, options } of [variants.lines, variants.everything]) {
  providerSuite(name, make, { ...options, quick: true })
}
