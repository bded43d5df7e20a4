import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const generate = 'mutation { generate(input: { model: "any", prompt: "x" }) { generation { content } } }'

describe('the header X-Fairlead-Tags', () => {
  test('the header X-Fairlead-Tags tags every request of the document, whose usage is then grouped by it', async () => {
    const { ask } = await serve()
    await ask(generate, {}, { headers: { 'x-fairlead-tags': 'team=search, env=prod' } })
    await ask(generate)
    const { json } = await ask(`{
      usageTimeseries(groupBy: TAG, tag: "team") { groups { group requests } }
      requests(first: 5, tag: "team", tagValue: "search") { nodes { tags } }
    }`)
    expect(json.data).toMatchObject({ usageTimeseries: { groups: [{ group: 'search', requests: 1 }] } })
    expect(json.data.requests.nodes.map(({ tags }: { tags: object }) => tags)).toEqual([
      { team: 'search', env: 'prod' },
    ])
  })

  test('the header X-Fairlead-Tags is an error of the field if it is malformed', async () => {
    const { ask } = await serve()
    const { json } = await ask(generate, {}, { headers: { 'x-fairlead-tags': 'search' } })
    expect(json.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }])
  })
})
