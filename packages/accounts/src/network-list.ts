import * as z from 'zod'
import { parseNetwork } from '@fairlead/core/feature'

/** IP addresses and CIDRs. */
export const networkList = z
  .array(z.string().refine((text) => parseNetwork(text) !== undefined, { error: 'must be an IP address or a CIDR' }))
  .min(1)
  .max(100)
