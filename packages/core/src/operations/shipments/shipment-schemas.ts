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
    name: line.describe('Who is there.'),
    street: line.describe('Street and number.'),
    city: line.describe('City.'),
    postalCode: line.describe('Postal code.'),
    region: optional(textAtMost(128).describe('State or province.')),
    country: z
      .string()
      .refine(isCountry, { error: 'must be a country’s code of ISO 3166-1 alpha-2, in capitals, such as DE' })
      .describe('ISO 3166-1 alpha-2.'),
  })
  .meta({ id: 'Address', description: 'A postal address.' })

const parcel = z
  .strictObject({
    weightKg: positive(1_000).describe('Kilograms.'),
    lengthCm: optional(positive(1_000).describe('Centimetres.')),
    widthCm: optional(positive(1_000).describe('Centimetres.')),
    heightCm: optional(positive(1_000).describe('Centimetres.')),
    description: optional(textAtMost(256).describe('What is in it.')),
  })
  .meta({ id: 'Parcel', description: 'A parcel of a shipment.' })

const metadata = z
  .record(z.string(), textAtMost(512))
  .refine((pairs) => Object.keys(pairs).length <= 50, { error: 'must have at most 50 pairs' })
  .refine((pairs) => Object.keys(pairs).every((name) => textUpTo(64).safeParse(name).success), {
    error: 'must have names of 1 to 64 characters',
  })
  .meta({ maxProperties: 50 })
  .describe('Whatever the owner wants to remember.')

/** What the owner may write, beside the status. */
export const shipmentFields = {
  reference: textUpTo(64).describe('The owner’s own name for it, unique among the owner’s shipments.'),
  carrier: optional(textAtMost(64).describe('Who carries it.')),
  trackingNumber: optional(textAtMost(64).describe('The carrier’s name for it.')),
  origin: address.describe('Where it comes from.'),
  destination: address.describe('Where it goes.'),
  parcels: z.array(parcel).min(1).max(100).describe('What is carried.'),
  notes: optional(textAtMost(2_000).describe('For people.')),
  metadata: metadata.default({}),
  estimatedDelivery: optional(dateTime.describe('When it should be there.')),
}

export const shipmentStatus = z
  .enum(shipmentStatuses)
  .register(typeNames, { name: 'ShipmentStatus' })
  .describe('Where it stands.')

const statusChange = z
  .strictObject({ status: shipmentStatus, at: instant.describe('When it came to stand there.') })
  .meta({ id: 'StatusChange', description: 'A change of status, and when it happened.' })

/** What only we write. */
export const shipmentFacts = {
  id: z.string().describe('`shp_` and digits.'),
  createdAt: instant.describe('When it was created.'),
  updatedAt: instant.describe('When it last changed.'),
  history: z.array(statusChange).describe('Every status that it has had, the present one last.'),
}
