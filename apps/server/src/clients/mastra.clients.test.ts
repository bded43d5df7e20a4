import { librarySuite } from '../testing/clients/library-suite.ts'

librarySuite('mastra')
