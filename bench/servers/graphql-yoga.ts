import type { AddressInfo } from 'node:net'
import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { shipments } from '@fairlead/shipments'
import { buildSchema } from '@fairlead/graphql-adapter'
import express from 'express'
import { printSchema } from 'graphql'
import { createSchema, createYoga } from 'graphql-yoga'
import { reportUsage } from './report-usage.ts'
import { tenModels } from './ten-models.ts'

/** Yoga in Express, as in its documentation, with the same schema and a constant list. */
const fairlead = createFairlead({ providers: [tenModels], features: [accounts(), shipments()] })
const listed = await fairlead.models.list()
const models = listed.map((model) => ({ ...model, type: model.type.toUpperCase() }))
const yoga = createYoga({
  schema: createSchema({
    typeDefs: printSchema(buildSchema(fairlead.core)),
    resolvers: { Query: { models: () => models } },
    resolverValidationOptions: { requireResolversForResolveType: 'ignore' },
  }),
})
const app = express()
app.use(yoga.graphqlEndpoint, yoga)
const server = app.listen(0, '127.0.0.1', () => reportUsage((server.address() as AddressInfo).port))
