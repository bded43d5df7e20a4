import { storeSuite } from '@fairlead/testing/suites'
import { sqliteStores } from './sqlite-stores.ts'

storeSuite('SQLite', (clock) => sqliteStores({ path: ':memory:', clock }))
