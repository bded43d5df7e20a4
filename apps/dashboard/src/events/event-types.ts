export interface EventType {
  readonly type: string
  /** When it is sent. */
  readonly when: string
}

/** The event types of the service, in the order of its API reference. */
export const eventTypes: readonly EventType[] = [
  { type: 'generation.completed', when: 'A text generation succeeded.' },
  { type: 'generation.failed', when: 'A text generation failed, or its client closed the request.' },
  { type: 'image.completed', when: 'An image generation succeeded.' },
  { type: 'image.failed', when: 'An image generation failed, or its client closed the request.' },
  { type: 'embedding.completed', when: 'An embedding of texts succeeded.' },
  { type: 'embedding.failed', when: 'An embedding of texts failed, or its client closed the request.' },
  { type: 'analysis.completed', when: 'A text analysis succeeded.' },
  { type: 'analysis.failed', when: 'A text analysis failed, or its client closed the request.' },
  { type: 'user.created', when: 'A user signed up, or an admin created one.' },
  { type: 'user.updated', when: 'A user was changed.' },
  {
    type: 'user.deleted',
    when: 'A user was deleted by an admin, who receives the event. The data is the user as it was before.',
  },
  { type: 'api_key.created', when: 'An API key was created.' },
  { type: 'api_key.updated', when: 'The name, the scopes, the expiry, or the limits of an API key were changed.' },
  { type: 'api_key.rotated', when: 'An API key got a new secret.' },
  { type: 'api_key.revoked', when: 'An API key was revoked.' },
  {
    type: 'quota.warning',
    when: 'An API key, or the sessions of a user, used 80% of the monthly quota. Sent once per month.',
  },
  {
    type: 'quota.exceeded',
    when: 'The monthly quota is used up: further metered requests are rejected until it resets. Sent once per month.',
  },
  {
    type: 'budget.warning',
    when: 'A share of a budget was spent, by default 50% and 80%. Sent once per period and share.',
  },
  {
    type: 'budget.exceeded',
    when: 'A budget is used up, or has no room for a request that was rejected. Sent once per period.',
  },
  { type: 'shipment.created', when: 'A shipment was created.' },
  { type: 'shipment.updated', when: 'A shipment was changed.' },
  { type: 'shipment.status_changed', when: 'The status of a shipment changed. Sent besides `shipment.updated`.' },
  { type: 'shipment.deleted', when: 'A shipment was deleted. The data is the shipment as it was before.' },
  {
    type: 'webhook.disabled',
    when: 'The service disabled a webhook, because it responded with 410 or failed for five days.',
  },
  { type: 'webhook.test', when: 'A test that the owner of the webhook requested. Sent only to this webhook.' },
  {
    type: 'audit.head',
    when: 'The head of the audit log, once a day. Only webhooks of admins for all users receive it.',
  },
]

/** `shipment.*` for each first part of a type. */
export const eventGroups: readonly string[] = [...new Set(eventTypes.map(({ type }) => eventGroup(type)))]

/** The group of an event type, such as `shipment.*`. */
export function eventGroup(type: string): string {
  return `${type.slice(0, type.indexOf('.'))}.*`
}
