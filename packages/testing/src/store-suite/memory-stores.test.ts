import { memoryStores } from '@fairlead/core/stores'
import { storeSuite } from '../store-suite.ts'

storeSuite('memory', async (clock) => memoryStores({ clock }))
