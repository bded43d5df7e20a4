/** Fairlead's operations over GraphQL. */
export { graphqlAdapter, graphqlListener } from './graphql-adapter.ts'
export { buildSchema } from './schema/build-schema.ts'
export { createBodyRoom } from '@fairlead/http'
export type { BodyRoom, BodyRoomOptions } from '@fairlead/http'
export type { GraphqlAdapter, GraphqlListener, GraphqlListenerOptions } from './graphql-adapter.ts'
export type { RequestOrigin } from '@fairlead/http'
export type { GraphqlAdapterOptions } from './options.ts'
export type { OperationLimits } from './execution/limits.ts'
