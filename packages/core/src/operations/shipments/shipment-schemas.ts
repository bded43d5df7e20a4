import { z } from 'zod'
import { isCountry } from '../../values/countries.ts'
import { shipmentStatuses } from '../../values/shipment.ts'
import { dateTime, instant, textAtMost, textUpTo } from '../field-schemas.ts'
import { typeNames } from '../../runtime/surfaces.ts'

const line = textUpTo(128)
const positive = (most: number) => {
  const error = `must be more than 0 and at most ${most.toLocaleString('en')}`
  return z.number().gt(0, { error }).max(most, { error })
}
/** A field that may be left out. It is shown as null then, and may be sent back so. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null as never)

const address = z
  .strictObject({
    name: line.describe('Name of the sender or recipient.'),
    street: line.describe('Street and number.'),
    city: line.describe('City.'),
    postalCode: line.describe('Postal code.'),
    region: optional(textAtMost(128).describe('State or province.')),
    country: z
      .string()
      .refine(isCountry, { error: 'must be a country’s code of ISO 3166-1 alpha-2, in capitals, such as DE' })
      .describe('Country code, ISO 3166-1 alpha-2.'),
  })
  .meta({ id: 'Address', description: 'A postal address.' })

const parcel = z
  .strictObject({
    weightKg: positive(1_000).describe('Weight in kilograms.'),
    lengthCm: optional(positive(1_000).describe('Centimetres.')),
    widthCm: optional(positive(1_000).describe('Centimetres.')),
    heightCm: optional(positive(1_000).describe('Centimetres.')),
    description: optional(textAtMost(256).describe('Description of the contents.')),
  })
  .meta({ id: 'Parcel', description: 'A parcel of a shipment.' })

const metadata = z
  .record(z.string(), textAtMost(512))
  .refine((pairs) => Object.keys(pairs).length <= 50, { error: 'must have at most 50 pairs' })
  .refine((pairs) => Object.keys(pairs).every((name) => textUpTo(64).safeParse(name).success), {
    error: 'must have names of 1 to 64 characters',
  })
  .meta({ maxProperties: 50 })
  .describe('Custom key-value pairs.')

/** What the owner may write, beside the status. */
export const shipmentFields = {
  reference: textUpTo(64).describe('Reference, chosen by the owner, and unique among the owner’s shipments.'),
  carrier: optional(textAtMost(64).describe('Carrier.')),
  trackingNumber: optional(textAtMost(64).describe('Tracking number of the carrier.')),
  origin: address.describe('Address of origin.'),
  destination: address.describe('Address of destination.'),
  parcels: z.array(parcel).min(1).max(100).describe('Parcels.'),
  notes: optional(textAtMost(2_000).describe('Notes.')),
  metadata: metadata.default({}),
  estimatedDelivery: optional(dateTime.describe('Estimated time of delivery.')),
}

export const shipmentStatus = z
  .enum(shipmentStatuses)
  .register(typeNames, { name: 'ShipmentStatus' })
  .describe('Status.')

const statusChange = z
  .strictObject({ status: shipmentStatus, at: instant.describe('When the status was set.') })
  .meta({ id: 'StatusChange', description: 'A change of status, and when it happened.' })

/** What only we write. */
export const shipmentFacts = {
  id: z.string().describe('Shipment id: `shp_` and digits.'),
  createdAt: instant.describe('When the shipment was created.'),
  updatedAt: instant.describe('When the shipment was last changed.'),
  history: z.array(statusChange).describe('Status history, the current status last.'),
}
