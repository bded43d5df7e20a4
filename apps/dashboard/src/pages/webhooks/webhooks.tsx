import { anyText, useFilters } from '../../filters.ts'
import { WebhookDetail } from './webhook-detail.tsx'
import { WebhookList } from './webhook-list.tsx'

const readers = { webhook: anyText }

/** The list of webhooks, or the one that the URL names. */
export function Webhooks() {
  const [{ webhook }] = useFilters(readers)
  return webhook === undefined ? <WebhookList /> : <WebhookDetail key={webhook} id={webhook} />
}
