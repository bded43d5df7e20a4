import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { dateTime } from '../field-schemas.ts'
import { openPage } from '../paging/open-page.ts'
import { pageInput } from '../paging/page-input.ts'
import { shipmentRecord, toShipmentRecord, visibleOwner } from './shipment-record.ts'
import { shipmentStatus } from './shipment-schemas.ts'

export const listShipments = defineOperation({
  name: 'shipments',
  summary: 'Lists shipments: the caller’s own, or all of them for an admin.',
  kind: 'read',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'GET', path: '/shipments' },
  graphql: { query: 'shipments' },
  input: z.strictObject({
    ...pageInput,
    status: shipmentStatus.optional().describe('Only shipments with this status.'),
    carrier: z.string().optional().describe('Only shipments of this carrier.'),
    reference: z.string().optional().describe('Only shipments with this reference.'),
    createdAfter: dateTime.optional().describe('Only shipments created after this time.'),
    createdBefore: dateTime.optional().describe('Only shipments created before this time.'),
  }),
  output: z.array(shipmentRecord),
  paged: true,
  prepare: (_services, _call, input) => openPage('shipments', input),
  async run({ stores }, call, { filters: { createdAfter, createdBefore, ...filters }, slice, show }) {
    const found = await stores.read((view) =>
      view.shipments.list(
        {
          ...filters,
          userId: visibleOwner(call.caller),
          createdAfter: instantOf(createdAfter),
          createdBefore: instantOf(createdBefore),
        },
        slice,
      ),
    )
    return show(call, found).map(toShipmentRecord)
  },
})

function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
