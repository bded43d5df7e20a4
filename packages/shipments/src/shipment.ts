import * as z from 'zod'
import { type Caller, type OperationRun, FairleadError } from '@fairlead/core'
import {
  visibleOwner,
  dateTime,
  instant,
  textAtMost,
  textUpTo,
  toInstant,
  namedObject,
  namedStrictObject,
  namedEnum,
} from '@fairlead/core/feature'

export type ShipmentStatus = z.output<typeof shipmentStatus>

/** The allowed status changes. A status without any is final. */
export const nextStatuses: Readonly<Record<ShipmentStatus, readonly ShipmentStatus[]>> = {
  pending: ['in_transit', 'cancelled'],
  in_transit: ['out_for_delivery', 'exception'],
  out_for_delivery: ['delivered', 'exception'],
  exception: ['in_transit', 'returned'],
  delivered: [],
  returned: [],
  cancelled: [],
}

/** Maximum length of a shipment’s history. Without it, `exception` and `in_transit` could alternate forever. */
export const maxStatuses = 200

/** The fields that the owner writes, and the fields that the service adds. */
export interface ShipmentRow extends ShipmentFields {
  readonly id: string
  /** Id of the owner; null if the embedding program created it. */
  readonly userId: string | null
  readonly status: ShipmentStatus
  /** All statuses so far, the current one last. */
  readonly history: readonly StatusChangeRow[]
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
  /** Starts at 1; incremented by each change. */
  readonly version: number
}

export interface ShipmentFields extends Readonly<z.output<z.ZodObject<typeof shipmentFields>>> {}

export interface StatusChangeRow {
  readonly status: ShipmentStatus
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface ShipmentFilters {
  readonly userId?: string | undefined
  readonly status?: ShipmentStatus | undefined
  readonly carrier?: string | undefined
  readonly reference?: string | undefined
  /** Exclusive, in milliseconds since the epoch. */
  readonly createdAfter?: number | undefined
  /** Exclusive, in milliseconds since the epoch. */
  readonly createdBefore?: number | undefined
}

/** ISO 3166-1 alpha-2: the 249 codes that are officially assigned. */
const assigned = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO ' +
    'JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR ' +
    'MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO ' +
    'RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV ' +
    'TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
)

export function isCountry(code: string): boolean {
  return assigned.has(code)
}

const line = textUpTo(128)
const positive = (max: number) => {
  const error = `must be greater than 0 and at most ${max.toLocaleString('en')}`
  return z.number().gt(0, { error }).max(max, { error })
}
/** An optional field. If omitted, it is null in responses; clients may send null back. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null as never)

const address = namedStrictObject('Address', 'A postal address.', {
  name: line.describe('Name of the sender or recipient.'),
  street: line.describe('Street and number.'),
  city: line.describe('City.'),
  postalCode: line.describe('Postal code.'),
  region: optional(textAtMost(128).describe('State or province.')),
  country: z
    .string()
    .refine(isCountry, { error: 'must be an ISO 3166-1 alpha-2 country code in upper case, such as DE' })
    .meta({ pattern: `^(?:${[...assigned].join('|')})$` })
    .describe('Country code, ISO 3166-1 alpha-2.'),
})

const parcel = namedStrictObject('Parcel', 'A parcel of a shipment.', {
  weightKg: positive(1_000).describe('Weight in kilograms.'),
  lengthCm: optional(positive(1_000).describe('Centimeters.')),
  widthCm: optional(positive(1_000).describe('Centimeters.')),
  heightCm: optional(positive(1_000).describe('Centimeters.')),
  description: optional(textAtMost(256).describe('Description of the contents.')),
})

const metadataSchema = z
  .record(z.string(), textAtMost(512))
  .refine((pairs) => Object.keys(pairs).length <= 50, { error: 'must have at most 50 pairs' })
  .refine((pairs) => Object.keys(pairs).every((name) => textUpTo(64).safeParse(name).success), {
    error: 'must have names of 1 to 64 characters',
  })
  .meta({ maxProperties: 50 })
  .describe('Custom key-value pairs, at most 50. Names have 1 to 64 characters.')

/** The writable fields, except the status. */
export const shipmentFields = {
  reference: textUpTo(64).describe('Reference, chosen by the owner, and unique among the owner’s shipments.'),
  carrier: optional(textAtMost(64).describe('Carrier.')),
  trackingNumber: optional(textAtMost(64).describe('Tracking number of the carrier.')),
  origin: address.describe('Address of origin.'),
  destination: address.describe('Address of destination.'),
  parcels: z.array(parcel).min(1).max(100).describe('Parcels.'),
  notes: optional(textAtMost(2_000).describe('Notes.')),
  metadata: metadataSchema.default({}),
  estimatedDelivery: optional(dateTime.describe('Estimated time of delivery.')),
}

export const shipmentStatus = namedEnum('ShipmentStatus', 'Status of a shipment.', {
  pending: 'Created, not yet shipped.',
  in_transit: 'On its way.',
  out_for_delivery: 'Out for delivery.',
  delivered: 'Delivered. Final.',
  exception: 'Delayed by a problem.',
  returned: 'Returned to the sender. Final.',
  cancelled: 'Cancelled before shipping. Final.',
}).describe('Status.')

const statusChange = namedStrictObject('StatusChange', 'A change of status, and when it happened.', {
  status: shipmentStatus,
  at: instant.describe('When the status was set.'),
})

/** The read-only fields. */
export const shipmentFacts = {
  id: z.string().describe('Shipment id: `shp_` and digits.'),
  createdAt: instant.describe('When the shipment was created.'),
  updatedAt: instant.describe('When the shipment was last changed.'),
  history: z.array(statusChange).describe('Status history, the current status last.'),
}

/** Fields of an input as a record has them, where none is left out. */
export function withoutDefaults<Fields extends Readonly<Record<string, z.ZodType>>>(
  fields: Fields,
): WithoutDefaults<Fields> {
  const all = Object.entries(fields).map(([name, field]) => [
    name,
    field instanceof z.ZodDefault ? field.unwrap() : field,
  ])
  return Object.fromEntries(all) as WithoutDefaults<Fields>
}

type WithoutDefaults<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : Fields[Name]
}

const { reference: _reference, ...otherFields } = withoutDefaults(shipmentFields)

export const shipmentRecord = namedObject('Shipment', 'A shipment.', {
  id: shipmentFacts.id,
  reference: z.string().describe('Reference, chosen by the owner.'),
  status: shipmentStatus,
  ...otherFields,
  createdAt: shipmentFacts.createdAt,
  updatedAt: shipmentFacts.updatedAt,
  history: shipmentFacts.history,
})

/** The fields of a stored shipment. */
export const shipmentNames = [
  'id',
  'userId',
  ...(Object.keys(shipmentFields) as (keyof ShipmentFields)[]),
  'status',
  'history',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies readonly (keyof ShipmentRow)[]

export function toShipmentRecord(shipment: ShipmentRow): z.output<typeof shipmentRecord> {
  const { userId: _owner, version: _version, parcels, metadata, history, createdAt, updatedAt, ...facts } = shipment
  return {
    ...facts,
    parcels: [...parcels],
    metadata: { ...metadata },
    createdAt: toInstant(createdAt),
    updatedAt: toInstant(updatedAt),
    history: history.map(({ status, at }) => ({ status, at: toInstant(at) })),
  }
}

/** Returns the record of a shipment and sets the version of the response. */
export function toVersionedRecord(call: OperationRun, shipment: ShipmentRow): z.output<typeof shipmentRecord> {
  call.version(shipment.version)
  return toShipmentRecord(shipment)
}

/** Returns the shipment. Throws `NOT_FOUND` if it does not exist or the caller may not see it. */
export function visible(caller: Caller, shipment: ShipmentRow | undefined): ShipmentRow {
  const owner = visibleOwner(caller)
  if (!shipment || (owner !== undefined && owner !== shipment.userId)) {
    throw new FairleadError('NOT_FOUND', 'Shipment not found.')
  }
  return shipment
}

export function referenceTaken(reference: string): FairleadError {
  return new FairleadError('CONFLICT', `A shipment with the reference "${reference}" already exists.`, {
    issues: [{ field: 'reference', issue: 'is taken by another shipment' }],
  })
}
