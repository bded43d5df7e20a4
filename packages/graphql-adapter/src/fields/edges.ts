import { lookUps, type Operation } from '@fairlead/core'
import type { Dynamic } from '../projection/dynamic.ts'
import type { Fields, Projection } from '../projection/projection.ts'
import { elementOf, fieldsOf, shapeOf } from '../projection/shape.ts'
import { edge, type EdgeOptions } from './edge.ts'

/** An edge, and the operation whose result is of the type that it leads to. */
type DeclaredEdge = Omit<EdgeOptions, 'type'> & { readonly to: string }

/** The edges between records, by type and field: relations are what REST has no form for. */
const edges: Readonly<Record<string, Readonly<Record<string, DeclaredEdge>>>> = {
  ApiKey: {
    usage: {
      to: 'usage',
      description: 'Its usage this month. Null if it could not be used this month.',
      lookUp: lookUps.keyUsage,
      from: ({ id }) => id,
    },
  },
  CredentialUsage: {
    apiKey: {
      to: 'apiKey',
      description: 'The API key. Null for sessions.',
      lookUp: lookUps.keys,
      from: ({ id }) => id,
    },
  },
  Shipment: {
    user: { to: 'user', description: 'The owner.', lookUp: lookUps.shipmentOwners, from: ({ id }) => id },
  },
  Generation: { modelInfo: modelInfo() },
  Image: { modelInfo: modelInfo() },
}

function modelInfo(): DeclaredEdge {
  return {
    to: 'model',
    description: 'The model that produced this. Null if it is no longer available.',
    lookUp: lookUps.models,
    from: ({ model }) => model,
  }
}

/** The edges of a type. Those that lead to records of features that are not in use are left out. */
export function edgesOf(name: string, t: Dynamic, operations: readonly Operation[], projection: Projection): Fields {
  const found = Object.entries(edges[name] ?? {}).flatMap(([field, { to, ...options }]) => {
    const operation = operations.find((each) => each.name === to)
    return operation ? [[field, edge(t, { ...options, type: projection.outputType(endOf(operation)) })]] : []
  })
  return Object.fromEntries(found)
}

/** The record at the end of an edge: `usage` answers with those of all credentials. */
function endOf({ name, output }: Operation): Operation['output'] {
  if (name !== 'usage') return output
  const [, credentials] = fieldsOf(shapeOf(output).schema).find(([field]) => field === 'credentials') ?? []
  if (!credentials) throw new TypeError('usage has no credentials')
  return elementOf(credentials)
}
