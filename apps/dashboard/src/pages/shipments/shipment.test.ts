import { expect, test } from 'vitest'
import { nextStatuses, shipmentStatus } from '@fairlead/shipments/workspace'
import { shipmentStatuses, statusFacts } from './shipment.ts'

test('the page of a shipment offers the status changes that the service allows', () => {
  expect(shipmentStatuses).toEqual(shipmentStatus.options)
  for (const status of shipmentStatuses) expect(statusFacts[status].next).toEqual(nextStatuses[status])
})
