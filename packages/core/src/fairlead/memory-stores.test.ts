import { storeSuite } from '../testing/store-suite.ts'
import { memoryStores } from './memory-stores.ts'

storeSuite('memory', async (clock) => memoryStores({ clock }))
