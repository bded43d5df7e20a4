import { describe, expect, test } from 'vitest'
import { someEvent, someShipment, someUsage, someWebhook, testCore } from '@fairlead/testing'
import { someDelivery, testProject, operations } from '@fairlead/testing/workspace'
import type { Credentials, Operation } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'

/** A project with one record of each kind, and those who may not see them. */
async function world() {
  const given = await testCore()
  const { fairlead, core, clock, stores } = given
  const project = await testProject(given)
  const { projectId, credentials, personal, userIds } = project
  const newId = createIds(clock.now)
  const shipment = someShipment(newId, { userId: projectId })
  const webhook = someWebhook(newId, { userId: projectId })
  const event = someEvent(newId, { userId: projectId })
  const usage = someUsage(newId, { userId: projectId, counter: projectId })
  await stores.transact(async (tx) => {
    await tx.shipments.add(shipment)
    await tx.webhooks.add(webhook)
    await tx.events.add([event])
    await tx.deliveries.add([someDelivery(newId, { webhookId: webhook.id })])
    await tx.usage.add(usage)
  })
  const keys = await core.run(operations.apiKeys, credentials.owner, {})
  const keyId = keys.success ? (keys.data[0]?.id ?? '') : ''
  const others = await fairlead.projects.list({})
  const otherId = others.find(({ id }) => id !== projectId)?.id ?? ''
  const { token = '' } = personal.stranger as { readonly token?: string }
  const outsiders: Readonly<Record<string, Credentials>> = {
    'the owner without the project': personal.owner,
    'the owner of another project': { kind: 'bearer', token, project: otherId },
    'a stranger': personal.stranger,
  }
  return { ...given, ...project, userIds, shipment, webhook, event, usage, keyId, outsiders }
}

type World = Awaited<ReturnType<typeof world>>

const reads: readonly (readonly [Operation, (world: World) => object])[] = [
  [operations.shipment, ({ shipment }) => ({ id: shipment.id })],
  [operations.patchShipment, ({ shipment }) => ({ id: shipment.id, notes: 'mine' })],
  [operations.deleteShipment, ({ shipment }) => ({ id: shipment.id })],
  [operations.webhook, ({ webhook }) => ({ id: webhook.id })],
  [operations.deleteWebhook, ({ webhook }) => ({ id: webhook.id })],
  [operations.rotateWebhookSecret, ({ webhook }) => ({ id: webhook.id })],
  [operations.deliveries, ({ webhook }) => ({ webhookId: webhook.id })],
  [operations.event, ({ event }) => ({ id: event.id })],
  [operations.request, ({ usage }) => ({ id: usage.runId })],
  [operations.apiKey, ({ keyId }) => ({ id: keyId })],
  [operations.rotateApiKey, ({ keyId }) => ({ id: keyId })],
  [operations.revokeApiKey, ({ keyId }) => ({ id: keyId })],
  [operations.usage, ({ projectId }) => ({ userId: projectId })],
  [operations.usageTimeseries, ({ projectId }) => ({ userId: projectId })],
  [operations.apiKeys, ({ projectId }) => ({ userId: projectId })],
]

const lists = [
  operations.shipments,
  operations.webhooks,
  operations.events,
  operations.requests,
  operations.apiKeys,
] as const satisfies readonly Operation[]

describe('what belongs to a project', () => {
  test.each(reads.map(([operation, input]) => [operation.name, operation, input] as const))(
    'what belongs to a project is not found by %s outside of the project',
    async (_name, operation, input) => {
      const here = await world()
      for (const [caller, credentials] of Object.entries(here.outsiders)) {
        const reply = await here.core.run(operation, credentials, input(here))
        expect([caller, reply.success || reply.error.code]).toEqual([caller, 'NOT_FOUND'])
      }
      expect((await here.core.run(operation, here.credentials.owner, input(here))).success).toBe(true)
    },
  )

  test.each(lists.map((operation) => [operation.name, operation] as const))(
    'what belongs to a project is listed by %s in the project alone',
    async (_name, operation: Operation) => {
      const here = await world()
      const idsFor = async (credentials: Credentials): Promise<readonly string[]> => {
        const reply = await here.core.run(operation, credentials, {})
        if (!reply.success || !('data' in reply)) return ['failed']
        return (reply.data as readonly { readonly id: string }[]).map(({ id }) => id)
      }
      const ours = await idsFor(here.credentials.viewer)
      expect(ours.length).toBeGreaterThan(0)
      for (const credentials of Object.values(here.outsiders)) {
        expect((await idsFor(credentials)).filter((id) => id === 'failed' || ours.includes(id))).toEqual([])
      }
    },
  )

  test('what belongs to a project is not found by a loader outside of the project', async () => {
    const here = await world()
    const { graphql } = operations.shipment
    const loader = graphql && 'node' in graphql ? graphql.node?.loader : undefined
    if (!loader) throw new Error('shipments have no loader')
    const load = (credentials: Credentials) => here.core.load(loader, credentials, [here.shipment.id])
    for (const credentials of Object.values(here.outsiders)) {
      expect(await load(credentials)).toEqual({ success: true, found: [undefined] })
    }
    expect(await load(here.credentials.viewer)).toMatchObject({ found: [{ data: { id: here.shipment.id } }] })
  })
})
