import { describe, expect, test } from 'vitest'
import { memoryBlobs } from '../../gateway/images/images.ts'
import { generateImage } from '../../gateway/images/generate-image.ts'
import { generateText } from '../../gateway/text/generate-text.ts'
import { createShipment } from '@fairlead/shipments/workspace'
import {
  failing,
  fakePainter,
  scripted,
  shipmentInput,
  testCore,
  type TestCoreOptions,
  testStores,
} from '@fairlead/testing'
import type { Stores } from '@fairlead/testing/workspace'

const greeting = { model: 'any', prompt: 'greet me' }

/** A core with a warm authentication cache, and the durability of each later transaction. */
async function world(options: TestCoreOptions = {}) {
  const inner = testStores()
  const durable: boolean[] = []
  const stores: Stores = {
    ...inner,
    transact(work, transactionOptions) {
      durable.push(transactionOptions?.durable !== false)
      return inner.transact(work, transactionOptions)
    },
  }
  const { core, caller } = await testCore({ stores, ...options })
  await core.run(generateText, caller, greeting)
  durable.length = 0
  return { core, caller, durable }
}

describe('a transaction of a run', () => {
  test('a transaction of a run does not wait for the disk to refund the unit of a failed call', async () => {
    const { core, caller, durable } = await world({ providers: [failing('down', 'give_up')] })
    expect(await core.run(generateText, caller, greeting)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    expect(durable).toEqual([false])
  })

  test('a transaction of a run waits for the disk when it stores an image', async () => {
    const { core, caller, durable } = await world({
      providers: [scripted('calm', 'hello'), fakePainter('brush')],
      blobs: memoryBlobs(),
    })
    const reply = await core.run(generateImage, caller, { model: 'picture', prompt: 'a blank' })
    expect(reply).toMatchObject({ success: true })
    expect(durable).toEqual([true])
  })

  test('a transaction of a run waits for the disk when it stores the outcome of an Idempotency-Key', async () => {
    const { core, caller, durable } = await world()
    await core.run(generateText, caller, greeting, { idempotencyKey: 'k-1' })
    expect(durable).toEqual([true, true])
  })

  test('a transaction of a run waits for the disk when it changes a record', async () => {
    const { core, caller, durable } = await world()
    expect(await core.run(createShipment, caller, shipmentInput())).toMatchObject({ success: true })
    expect(durable).toEqual([true])
  })

  test('a transaction of a run does not wait for the disk to record a failed write', async () => {
    const { core, caller, durable } = await world()
    const sameReference = shipmentInput('order-1')
    await core.run(createShipment, caller, sameReference)
    durable.length = 0
    expect(await core.run(createShipment, caller, sameReference)).toMatchObject({ error: { code: 'CONFLICT' } })
    expect(durable).toEqual([true, false])
  })
})
