import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { formatLabel } from '../../format.ts'
import { type ApiKey, type KeyStatus as Status, keyStatus } from './api-key.ts'

const tones: Readonly<Record<Status, BadgeTone>> = { active: 'success', expired: 'warning', revoked: 'neutral' }

export function KeyStatus({ apiKey }: { readonly apiKey: ApiKey }) {
  const status = keyStatus(apiKey)
  return <Badge tone={tones[status]}>{formatLabel(status)}</Badge>
}
