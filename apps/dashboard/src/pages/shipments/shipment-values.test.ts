import { expect, test } from 'vitest'
import { emptyAddress, emptyParcel, emptyShipment, toBody, toValues } from './shipment-values.ts'

const address = { name: 'Depot', street: 'Hafenstr. 1', city: 'Hamburg', postal_code: '20457', country: 'DE' }

test('the form of a shipment sends empty fields as null, and countries in upper case', () => {
  const body = toBody({
    ...emptyShipment,
    reference: 'ORDER-1',
    origin: { ...emptyAddress, ...address, country: 'de' },
    parcels: [{ ...emptyParcel, weight: '2.5', length: '40' }],
    metadata: [{ name: 'customer', value: 'cus_1' }],
  })
  expect(body).toMatchObject({
    carrier: null,
    estimated_delivery: null,
    origin: { ...address, region: null },
    parcels: [{ weight_kg: 2.5, length_cm: 40, width_cm: null, height_cm: null, description: null }],
    metadata: { customer: 'cus_1' },
  })
})

test('the form of a shipment keeps a shipment that is edited without a change', () => {
  const fields = {
    reference: 'ORDER-1',
    carrier: null,
    tracking_number: '1Z',
    estimated_delivery: '2026-03-14T09:26:00.000Z',
    origin: { ...address, region: null },
    destination: { ...address, region: 'HH' },
    parcels: [{ weight_kg: 2.5, length_cm: null, width_cm: 30, height_cm: null, description: 'Books' }],
    notes: null,
    metadata: { customer: 'cus_1' },
  }
  const at = '2026-03-14T09:26:53.589Z'
  const shipment = { ...fields, id: 'shp_1', status: 'pending' as const, created_at: at, updated_at: at, history: [] }
  expect(toBody(toValues(shipment))).toEqual(fields)
})
