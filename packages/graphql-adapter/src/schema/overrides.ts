/** How a field of the graph differs from the field of core's result. */
export interface FieldOverride {
  /** Default: the name in core. */
  readonly name?: string
  readonly type?: 'DateTime'
  readonly nullable?: true
  readonly description?: string
  readonly resolve?: (parent: never) => unknown
}

const result: Readonly<Record<string, FieldOverride>> = {
  created: {
    name: 'createdAt',
    type: 'DateTime',
    description: 'Creation time.',
    resolve: ({ created }: { readonly created: number }) => new Date(created * 1000).toISOString(),
  },
  model: { name: 'modelId', resolve: ({ model }: { readonly model: string }) => model },
}

/** By type and field. REST keeps formats of other APIs, which the graph does not need. */
const overrides: Readonly<Record<string, Readonly<Record<string, FieldOverride | 'omit'>>>> = {
  // A payload with an `id` would take the place of the record with this id in the caches of clients.
  Deletion: { id: renamedId('deletedId', 'Id of the record that was deleted, revoked or ended.'), deleted: 'omit' },
  WebhookRecovery: { id: renamedId('webhookId', 'Id of the webhook.') },
  Embeddings: result,
  Generation: result,
  Image: result,
  Model: {
    pricing: {
      nullable: true,
      description: 'Prices. Null if they are unknown.',
      resolve: ({ pricing }: { readonly pricing: { readonly known?: boolean } }) =>
        pricing.known === false ? null : pricing,
    },
  },
  ModelPricing: { known: 'omit' },
}

function renamedId(name: string, description: string): FieldOverride {
  return { name, description, resolve: ({ id }: { readonly id: string }) => id }
}

export function findOverrides(type: string): Readonly<Record<string, FieldOverride | 'omit' | undefined>> {
  return overrides[type] ?? {}
}
