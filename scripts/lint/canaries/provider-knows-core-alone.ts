// expects: fairlead(walls)
// reason: Adapters, providers and stores know core alone
// at: packages/providers/local/src/route.ts
export { routesOf } from '@fairlead/rest-adapter'
