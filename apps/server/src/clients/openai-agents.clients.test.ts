import { librarySuite } from '../testing/clients/library-suite.ts'

librarySuite('openai-agents')
