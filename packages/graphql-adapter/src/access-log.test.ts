import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const text = 'text: generate(input: {model: "any", prompt: "a"}) { generation { content } }'
const image = 'image: generateImage(input: {model: "picture", prompt: "a", size: "256x256"}) { image { id } }'

describe('the access log of a GraphQL request', () => {
  test('the access log of a GraphQL request has the operation, the model, and the provider of each field that calls a model', async () => {
    const { ask, accessLog } = await serve()
    const { json } = await ask(`mutation { ${text} ${image} }`)
    expect(json.errors).toBeUndefined()
    await expect.poll(() => accessLog).toHaveLength(1)
    expect(accessLog[0]).toMatchObject({
      provider: 'brush',
      modelCalls: [
        { operation: 'generate', model: 'any', provider: 'calm' },
        { operation: 'generateImage', provider: 'brush' },
      ],
    })
  })

  test('the access log of a GraphQL request has one model and one provider, and no list, for one such field', async () => {
    const { ask, accessLog } = await serve()
    await ask(`mutation { ${text} }`)
    await expect.poll(() => accessLog).toMatchObject([{ model: 'any', provider: 'calm' }])
    expect(accessLog[0]).not.toHaveProperty('modelCalls')
  })
})
