import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const created = `mutation {
  createWebhook(input: { url: "https://example.com/hooks", events: ["shipment.*"] }) {
    secret
    webhook { id version enabled }
  }
}`

async function setup() {
  const served = await serve()
  const { data } = (await served.ask(created)).json
  return { ...served, id: data.createWebhook.webhook.id as string, data }
}

describe('webhooks', () => {
  test('webhooks are created with a payload that shows the secret once', async () => {
    const { ask, id, data } = await setup()
    expect(data.createWebhook).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      webhook: { id: expect.stringMatching(/^whk_/), version: 1, enabled: true },
    })
    const { json } = await ask('{ me { webhooks { edges { node { id url version } } } } }')
    expect(json.data.me.webhooks.edges).toEqual([{ node: { id, url: 'https://example.com/hooks', version: 1 } }])
    const secret = await ask('{ webhooks { edges { node { secret } } } }')
    expect(secret.json.errors[0].message).toContain('Cannot query field "secret"')
  })

  test('webhooks have deliveries, and both are found by their id', async () => {
    const { ask, id } = await setup()
    const tested = await ask(
      'mutation ($id: ID!) { testWebhook(input: { id: $id }) { delivery { id eventType status } } }',
      { id },
    )
    const { id: deliveryId, ...delivery } = tested.json.data.testWebhook.delivery
    expect(delivery).toEqual({ eventType: 'webhook.test', status: 'PENDING' })
    const { json } = await ask(
      `query ($id: ID!, $webhookId: String!, $deliveryId: ID!) {
        deliveries(webhookId: $webhookId, status: PENDING) { edges { node { id attempts { error } } } }
        webhook: node(id: $id) { ... on Webhook { id events version } }
        delivery: node(id: $deliveryId) { ... on Delivery { id webhookId } }
      }`,
      { id, webhookId: id, deliveryId },
    )
    expect(json.data).toEqual({
      deliveries: { edges: [{ node: { id: deliveryId, attempts: [] } }] },
      webhook: { id, events: ['shipment.*'], version: 1 },
      delivery: { id: deliveryId, webhookId: id },
    })
  })

  test('webhooks of another user are not found', async () => {
    const { fairlead, ask } = await serve()
    const { id } = await fairlead.webhooks.create({ url: 'https://example.com/', events: ['*'] })
    const { json } = await ask('query ($id: ID!) { node(id: $id) { id } }', { id })
    expect(json.data).toEqual({ node: null })
    expect(json.errors).toBeUndefined()
  })
})
