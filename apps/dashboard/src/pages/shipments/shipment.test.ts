import { expect, test } from 'vitest'
import {
  nextStatuses,
  shipmentStatuses as serviceStatuses,
} from '../../../../../packages/core/src/shipments/shipment.ts'
import { shipmentStatuses, statusFacts } from './shipment.ts'

test('offers the status changes that the service allows', () => {
  expect(shipmentStatuses).toEqual(serviceStatuses)
  for (const status of shipmentStatuses) expect(statusFacts[status].next).toEqual(nextStatuses[status])
})
