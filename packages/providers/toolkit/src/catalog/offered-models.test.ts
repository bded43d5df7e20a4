import type { Model, ProviderCall } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { type ModelChoice, type ModelSources, offeredModels } from '../index.ts'

const call: ProviderCall = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

const plain = (id: string): Model => ({ type: 'text', id, name: id, description: 'As listed.', maxTokens: 1_000 })

async function listIds(models: ModelChoice['models'], sources: Partial<ModelSources> = {}) {
  const known = [plain('old'), plain('both')]
  const fetchModels = async () => [plain('new'), plain('both')]
  const offered = offeredModels({ models }, { known, fetchModels, assume: plain, ...sources })
  const list = offered.models()
  return {
    listed: (typeof list === 'function' ? await list(call) : list).map(({ id }) => id),
    atFirst: offered.knownModels()?.map(({ id }) => id),
    found: offered.findModel?.('unheard-of')?.id,
  }
}

describe('offeredModels', () => {
  test.each<[string, ModelChoice['models'], Partial<ModelSources>, object]>([
    ['both lists', undefined, {}, { listed: ['old', 'both', 'new'], atFirst: ['old', 'both'] }],
    ['those of the upstream', 'fetched', {}, { listed: ['new', 'both'] }],
    ['those of the catalog', 'catalog', {}, { listed: ['old', 'both'] }],
    [
      'both lists and any other',
      'any',
      {},
      { listed: ['old', 'both', 'new'], atFirst: ['old', 'both'], found: 'unheard-of' },
    ],
    ['a list of its own', [plain('mine')], {}, { listed: ['mine'] }],
    ['those of a proxy', undefined, { isProxy: true }, { listed: ['new', 'both'], atFirst: ['old', 'both'] }],
    ['those of a proxy and any other', 'any', { isProxy: true }, { listed: ['new', 'both'], found: 'unheard-of' }],
    ['those of a server without a catalog', undefined, { known: undefined }, { listed: ['new', 'both'] }],
    ['those of a server without a list', undefined, { fetchModels: undefined }, { listed: ['old', 'both'] }],
    [
      'any, of a server without a list',
      'any',
      { fetchModels: undefined },
      { listed: ['old', 'both'], found: 'unheard-of' },
    ],
  ])('offeredModels offers %s', async (_case, choice, sources, expected) => {
    expect(await listIds(choice, sources)).toMatchObject({ found: undefined, ...expected })
  })
})
