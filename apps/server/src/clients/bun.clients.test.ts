import { platformSuite } from '../testing/platforms/platform-suite.ts'

platformSuite('bun')
